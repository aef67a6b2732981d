#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/studio/http/events.hpp"
#include "apps/studio/http/http_limits.hpp"
#include "apps/studio/http/metrics.hpp"
#include "apps/studio/http/route.hpp"

namespace caos::studio::http {

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< others than this machine's own need a token
  std::uint16_t port = 8474;          ///< 0: any that is free
  std::string token{};
  std::vector<std::string> allowed_hosts{};  ///< names of this machine besides localhost
  std::string folder{};                      ///< for bodies that are too large for memory
  std::string hidden{};                      ///< a folder whose place errors do not tell
  Limits limits{};
};

/// Throws `invalid_input` for an invalid address, or one that others can reach without a token,
/// before anything is created.
void check(const ServerOptions& options);

/// Answers requests by HTTP, each connection in a thread of its own.
class Server {
 public:
  /// Listens from now on, but does not answer yet. Adds its own figures to `metrics`. Throws what
  /// `check` does, and `backend` where one cannot listen. Events and metrics must outlive it.
  Server(ServerOptions options, Events& events, Metrics& metrics);
  /// Stops.
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  /// What to open in a browser on this machine.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] bool has_token() const;
  /// The server's own: the login page.
  [[nodiscard]] std::vector<Route> routes() const;

  /// Answers by these routes, until stopped.
  void start(std::vector<Route> routes);

  /// Takes no more requests, ends all subscriptions, and returns when the requests that are running
  /// are answered.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace caos::studio::http
