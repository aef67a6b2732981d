#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caos/text/models/servers/server_url.hpp"

// For the models behind HTTP; not for users of the library.
namespace caos::text {

struct HttpOptions {
  std::string key{};                 ///< sent as a bearer token; empty: none
  double timeout_seconds = 60;       ///< of one request
  std::size_t retries = 5;           ///< after 429, 5xx, a timeout or a lost connection
  std::size_t concurrency = 4;       ///< requests under way at once, whatever the number of threads
  double first_wait_seconds = 0.5;   ///< before the first retry; doubles with each
  double longest_wait_seconds = 60;  ///< also for what a server asks for with Retry-After
  std::size_t largest_answer = std::size_t{1} << 28;  ///< bytes
};

struct HttpAnswer {
  int status = 0;
  std::string body{};
};

/// Requests to one server, over connections that stay open. Redirects are not followed. Safe to use
/// from several threads.
class HttpClient {
 public:
  /// Throws `invalid_input` where a key would travel in the clear to another machine.
  HttpClient(ServerUrl url, HttpOptions options);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  /// The address, as errors name it.
  [[nodiscard]] std::string url() const;

  /// The answer to a request, after retries; its status is below 500 or 501, and not 429. Throws
  /// `backend` where there is none. `path` begins with a slash.
  [[nodiscard]] HttpAnswer get(const std::string& path) const;
  [[nodiscard]] HttpAnswer post(const std::string& path, const std::string& json) const;

  /// What a server said about a failure, as far as it fits into an error: one line of printable
  /// ASCII, without the key.
  [[nodiscard]] std::string quoted(const std::string& body) const;

 private:
  class Connections;
  std::unique_ptr<Connections> connections_;
};

}  // namespace caos::text
