#pragma once

#include <string>

// For the models behind HTTP; not for users of the library.
namespace caos::text {

/// Where a server is.
struct ServerUrl {
  std::string origin{};    ///< "http://127.0.0.1:8080"
  std::string path{};      ///< before that of every request: empty, or "/prefix"
  bool encrypted = false;  ///< https
  bool loopback = false;   ///< on this machine

  [[nodiscard]] std::string text() const { return origin + path; }
};

/// Reads "http://host:port/path". A slash at the end and a last part "v1", which many people write,
/// are dropped. Throws `invalid_input` for other schemes, and where a user name, a password, a
/// query or a fragment is in it: keys have their own place. The message does not repeat those.
[[nodiscard]] ServerUrl parse_server_url(const std::string& text);

}  // namespace caos::text
