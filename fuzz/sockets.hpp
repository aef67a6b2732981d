#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "caos/io/file_descriptor.hpp"

// Connections on this machine, for targets that speak with a server or are one.
namespace caos::fuzz {

/// Sends bytes to a server on this machine, says that there are no more, and gives back all that it
/// answers until it ends the connection.
[[nodiscard]] std::string asked(int port, std::string_view bytes);

/// What a server does when it has answered.
enum class Then { wait, close };

/// A server on this machine for one client at a time. `answer` gives the bytes for a client's next
/// request; empty ones end the connection.
class AnsweringServer {
 public:
  AnsweringServer(Then then, std::function<std::string()> answer);
  ~AnsweringServer();
  AnsweringServer(const AnsweringServer&) = delete;
  AnsweringServer& operator=(const AnsweringServer&) = delete;

  [[nodiscard]] std::string url() const;

 private:
  void serve();

  Then then_;
  std::function<std::string()> answer_;
  io::Descriptor listener_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace caos::fuzz
