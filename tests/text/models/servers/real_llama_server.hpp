#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace caos::test {

/// The program llama-server: what the environment variable CAOS_LLAMA_SERVER names, else what
/// tools/fetch-llama-server fetched, else the one on the PATH. Empty: there is none.
[[nodiscard]] std::string llama_server_program();

/// llama.cpp's own server on this machine, with one model; ends with the object.
class RealLlamaServer {
 public:
  /// Waits until it answers. Throws std::runtime_error, with what it printed, where it does not.
  explicit RealLlamaServer(const std::string& model, const std::vector<std::string>& more = {});
  RealLlamaServer(const RealLlamaServer&) = delete;
  RealLlamaServer& operator=(const RealLlamaServer&) = delete;
  ~RealLlamaServer();

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void start(const std::vector<std::string>& arguments);
  [[nodiscard]] bool answers() const;
  [[nodiscard]] bool runs() const;
  [[nodiscard]] std::string printed() const;

  int port_ = 0;
  pid_t process_ = 0;
  std::string log_{};
};

}  // namespace caos::test
