#pragma once

#include <httplib.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace caos::test {

/// What a server was sent.
struct SeenRequest {
  std::string method{};
  std::string path{};
  std::string body{};
  std::string authorization{};
};

/// The files that a server shows who it is with.
struct TlsFiles {
  std::string certificate{};
  std::string key{};
};

/// An HTTP server on this machine that lives as long as the object. It remembers what it was sent.
class LocalServer {
 public:
  using Handler = std::function<void(const httplib::Request&, httplib::Response&)>;
  /// Answers a request in place of the handler, or returns false. `number` counts requests from 0.
  using Disturbance =
      std::function<bool(std::size_t number, const httplib::Request&, httplib::Response&)>;

  /// With TLS where files for it are given.
  explicit LocalServer(Handler handler, const std::optional<TlsFiles>& tls = std::nullopt);
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer();

  /// By number, 127.0.0.1; with TLS by name, localhost.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::vector<SeenRequest> seen() const;
  /// The largest number of requests that were under way at once.
  [[nodiscard]] std::size_t most_at_once() const;

  /// From now on; requests are counted from now.
  void disturb(Disturbance disturbance);

  /// For handlers: waits until the server is ended, or for twenty seconds.
  void hang();
  /// For handlers: waits until `count` requests are under way, or for 0.3 seconds.
  void wait_for(std::size_t count);

 private:
  void answer(const httplib::Request& request, httplib::Response& response);

  Handler handler_;
  Disturbance disturbance_;
  std::size_t number_ = 0;
  std::vector<SeenRequest> seen_;
  std::size_t under_way_ = 0;
  std::size_t most_at_once_ = 0;
  bool ending_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool encrypted_;
  std::unique_ptr<httplib::Server> server_;
  int port_ = 0;
  std::thread thread_;
};

/// Answers with this status and body.
void reply(httplib::Response& response, int status, const std::string& body);

/// Sends half of the body and closes the connection.
void reply_half(httplib::Response& response, const std::string& body);

}  // namespace caos::test
