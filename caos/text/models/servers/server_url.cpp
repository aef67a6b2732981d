#include "caos/text/models/servers/server_url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "caos/error.hpp"

namespace caos::text {
namespace {

constexpr const char* remedy =
    "a server is given as http://HOST:PORT or https://HOST, with a path if it has one";

void check(bool condition, std::string_view what) {
  require(condition, ErrorKind::invalid_input,
          [&] { return fmt::format("server: {}; {}", what, remedy); });
}

void drop_suffix(std::string_view& text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The host without its port and brackets.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    check(end != std::string_view::npos, "an address in brackets does not end");
    return authority.substr(1, end - 1);
  }
  return authority.substr(0, authority.find(':'));
}

void check_port(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const std::string_view rest =
      bracket == std::string_view::npos ? authority : authority.substr(bracket + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view port = rest.substr(colon + 1);
  check(!port.empty() && port.size() <= 5 && std::ranges::all_of(port, is_digit),
        "the port is not a number");
}

/// 127.0.0.1 and its like. A name may begin as these do and lead anywhere: 127.0.0.1.example.org.
bool is_loopback(std::string_view host) {
  const bool numbers = std::ranges::all_of(host, [](char c) { return is_digit(c) || c == '.'; });
  return host == "localhost" || host == "::1" || (numbers && host.starts_with("127."));
}

}  // namespace

ServerUrl parse_server_url(const std::string& text) {
  std::string_view rest = text;
  ServerUrl url;
  url.encrypted = rest.starts_with("https://");
  check(url.encrypted || rest.starts_with("http://"), "the address has no http:// or https://");
  rest.remove_prefix(rest.find("//") + 2);
  // Asked before anything is quoted, so that a password is in no message.
  check(rest.find('@') == std::string_view::npos,
        "an address with a user name or a password is refused, name a key variable or a key file");
  check(rest.find_first_of("?#") == std::string_view::npos,
        "the address has a query or a fragment");
  check(std::ranges::all_of(rest, [](char c) { return c > ' ' && c <= '~'; }),
        "the address has a space or a character that is not ASCII");
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view authority = rest.substr(0, slash);
  std::string_view path = rest.substr(slash);
  check(!host_of(authority).empty(), "the address has no host");
  check_port(authority);
  while (path.ends_with('/')) path.remove_suffix(1);
  drop_suffix(path, "/v1");
  url.origin = fmt::format("{}://{}", url.encrypted ? "https" : "http", authority);
  url.path = path;
  url.loopback = is_loopback(host_of(authority));
  return url;
}

}  // namespace caos::text
