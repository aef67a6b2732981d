#include "apps/studio/http/guard.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace caos::studio::http {
namespace {

constexpr std::string_view cookie = "caos_token";

/// What may be seen before logging in.
constexpr std::array<std::string_view, 4> open_paths{"/login", "/v1/health", "/studio.css",
                                                     "/favicon.svg"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The name in "name:port" or "[::1]:port".
std::string name_in(const std::string& host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos &&
                        (bracket == std::string::npos ? host.find(':') == colon : colon > bracket);
  return lower(has_port ? host.substr(0, colon) : host);
}

/// The value of our cookie, or nothing.
std::string cookie_in(std::string_view cookies) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    const bool ours = one.starts_with(cookie) && one.substr(cookie.size()).starts_with('=');
    if (ours) return std::string(one.substr(cookie.size() + 1));
  }
  return {};
}

std::string bearer_in(const std::string& authorization) {
  constexpr std::string_view scheme = "bearer ";
  const bool has = lower(authorization.substr(0, scheme.size())) == scheme;
  return has ? authorization.substr(scheme.size()) : std::string();
}

/// Links from elsewhere may open the page, but nothing else of ours.
bool is_page(const Sender& sender) {
  return !sender.path.starts_with("/v1") && (sender.method == "GET" || sender.method == "HEAD");
}

std::string login_page(std::string_view message) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>caos studio: log in</title>\n"
      "<link rel=\"icon\" href=\"/favicon.svg\">\n<link rel=\"stylesheet\" href=\"/studio.css\">\n"
      "</head>\n<body>\n<main class=\"login\">\n<h1>caos studio</h1>\n{}"
      "<form method=\"post\" action=\"/login\">\n"
      "<p><label>Token <input type=\"password\" name=\"token\" autocomplete=\"current-password\" "
      "required autofocus></label></p>\n"
      "<p><button type=\"submit\" class=\"button primary\">Log in</button></p>\n"
      "<p>The operator of the studio has the token: it is in the file that was given as "
      "<code>--token-file</code>.</p>\n</form>\n</main>\n</body>\n</html>\n",
      message);
}

Answer login_answer(int status, std::string_view message) {
  // The referrer policy of the other pages would make a browser send the form with an unknown
  // origin, which is refused.
  return {.status = status,
          .content_type = "text/html; charset=utf-8",
          .body = login_page(message),
          .headers = {{"Referrer-Policy", "same-origin"}}};
}

Answer go_to(std::string path, std::string set_cookie = {}) {
  Answer answer{.status = 303, .headers = {{"Location", std::move(path)}}};
  if (!set_cookie.empty()) answer.headers.emplace_back("Set-Cookie", std::move(set_cookie));
  return answer;
}

std::string cookie_text(std::string_view value, std::string_view more) {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}", cookie, value, more);
}

int hex(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  const int low = letter | 0x20;
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/// The value of `token` in a form; it is the only field.
std::string token_in(std::string_view form) {
  constexpr std::string_view key = "token=";
  if (!form.starts_with(key)) return {};
  form.remove_prefix(key.size());
  std::string token;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool escaped =
        form[i] == '%' && i + 2 < form.size() && hex(form[i + 1]) >= 0 && hex(form[i + 2]) >= 0;
    token += escaped ? static_cast<char>(hex(form[i + 1]) * 16 + hex(form[i + 2])) : form[i];
    if (escaped) i += 2;
  }
  return token;
}

}  // namespace

Guard::Guard(std::vector<std::string> hosts, std::string token)
    : hosts_(std::move(hosts)), token_(std::move(token)) {
  for (std::string& host : hosts_) host = lower(host);
}

std::optional<Answer> Guard::refusal(const Sender& sender) const {
  if (auto answer = wrong_host(sender)) return answer;
  if (auto answer = other_site(sender)) return answer;
  return no_token(sender);
}

std::optional<Answer> Guard::wrong_host(const Sender& sender) const {
  if (sender.hosts.size() != 1) {
    return error_answer(400, "invalid_input", "a request needs one Host header");
  }
  if (std::ranges::find(hosts_, name_in(sender.hosts[0])) != hosts_.end()) return std::nullopt;
  return error_answer(
      403, "forbidden",
      fmt::format("this studio is not called '{}'; to allow that name, start it with "
                  "--allow-host {}",
                  sender.hosts[0], name_in(sender.hosts[0])));
}

std::optional<Answer> Guard::other_site(const Sender& sender) const {
  const bool from_here = std::ranges::all_of(sender.origins, [&](const std::string& origin) {
    const std::string host = lower(sender.hosts[0]);
    return lower(origin) == "http://" + host || lower(origin) == "https://" + host;
  });
  const bool typed = sender.fetch_site.empty() || sender.fetch_site == "none" ||
                     sender.fetch_site == "same-origin";
  if (from_here && (typed || is_page(sender))) return std::nullopt;
  return error_answer(403, "forbidden", "another site's page may not ask this of the studio");
}

bool Guard::knows(const Sender& sender) const {
  if (!has_token()) return true;
  const std::string bearer = bearer_in(sender.authorization);
  return is_token(bearer.empty() ? cookie_in(sender.cookies) : bearer);
}

std::optional<Answer> Guard::no_token(const Sender& sender) const {
  const bool is_open = std::ranges::find(open_paths, sender.path) != open_paths.end();
  if (is_open || knows(sender)) return std::nullopt;
  if (sender.path == "/" && bearer_in(sender.authorization).empty()) return go_to("/login");
  Answer answer = error_answer(
      401, "unauthorized", "log in at /login, or send the token as 'Authorization: Bearer ...'");
  answer.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"caos studio\"");
  return answer;
}

bool Guard::is_token(std::string_view text) const {
  return text.size() == token_.size() &&
         CRYPTO_memcmp(text.data(), token_.data(), token_.size()) == 0;
}

Answer Guard::login(const Request& request) const {
  if (!has_token()) return go_to("/");
  const bool right = is_token(token_in(request.body));
  // Behind a proxy that encrypts, the cookie must not go out in the clear later.
  const bool encrypted = request.origin.starts_with("https://");
  return right ? go_to("/", cookie_text(token_, encrypted ? "; Secure" : ""))
               : login_answer(401, "<p role=\"alert\">That is not the token.</p>\n");
}

std::vector<Route> Guard::routes() const {
  return {
      {"GET", "/login", Body::none,
       [this](const Request&) { return has_token() ? login_answer(200, "") : go_to("/"); }},
      {"POST", "/login", Body::form, [this](const Request& request) { return login(request); }},
      {"POST", "/logout", Body::none,
       [this](const Request&) {
         return go_to(has_token() ? "/login" : "/", cookie_text("", "; Max-Age=0"));
       }},
  };
}

std::vector<std::pair<std::string, std::string>> security_headers() {
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src "
       "'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
  };
}

}  // namespace caos::studio::http
