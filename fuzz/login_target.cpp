#include <string>

#include "apps/studio/http/guard.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

namespace http = studio::http;

constexpr std::string_view token = "sixteen letters.";

/// What is before the next end of a line, which is taken from the text.
std::string next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string line(text.substr(0, end));
  text = end == text.npos ? std::string_view() : text.substr(end + 1);
  return line;
}

http::Answer log_in(const http::Guard& guard, const std::string& form) {
  for (const http::Route& route : guard.routes()) {
    if (route.method == "POST" && route.pattern == "/login") return route.handler({.body = form});
  }
  demand(false, "there is a route to log in");
  return {};
}

/// All that an unknown client can send: the headers that the guard looks at,
/// a line each, and then the form.
FUZZ_TARGET(login, input) {
  static const http::Guard guard({"localhost", "studio.example"}, std::string(token));
  std::string_view rest = text_of(input);
  http::Sender sender{.method = "GET", .path = "/v1/projects"};
  sender.hosts = {next_line(rest)};
  if (std::string origin = next_line(rest); !origin.empty()) sender.origins = {origin};
  sender.fetch_site = next_line(rest);
  sender.authorization = next_line(rest);
  sender.cookies = next_line(rest);
  const bool has_token = (sender.authorization + sender.cookies).find(token) != std::string::npos;
  demand(guard.refusal(sender).has_value() || has_token, "no client gets in without the token");
  (void)log_in(guard, std::string(rest));
}

}  // namespace
}  // namespace caos::fuzz
