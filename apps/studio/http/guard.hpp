#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/studio/http/answer.hpp"
#include "apps/studio/http/route.hpp"

namespace caos::studio::http {

/// What a request says about its sender.
struct Sender {
  std::string method{};
  std::string path{};
  std::vector<std::string> hosts{};
  std::vector<std::string> origins{};
  std::string fetch_site{};
  std::string authorization{};
  std::string cookies{};
};

/// Decides who may ask what.
class Guard {
 public:
  /// Requests are for one of these host names. Without a token everybody who reaches the server may
  /// use it.
  Guard(std::vector<std::string> hosts, std::string token);

  /// Why the request is refused, if it is: for another host (a name that an attacker points here),
  /// from another site's page, or without the token.
  [[nodiscard]] std::optional<Answer> refusal(const Sender& sender) const;

  [[nodiscard]] bool has_token() const { return !token_.empty(); }

  /// Whether the sender has shown the token, where one is asked for: paths that are open to all
  /// tell others less.
  [[nodiscard]] bool knows(const Sender& sender) const;

  /// The page that asks for the token, and what it leads to.
  [[nodiscard]] std::vector<Route> routes() const;

 private:
  [[nodiscard]] std::optional<Answer> wrong_host(const Sender& sender) const;
  [[nodiscard]] std::optional<Answer> other_site(const Sender& sender) const;
  [[nodiscard]] std::optional<Answer> no_token(const Sender& sender) const;
  [[nodiscard]] bool is_token(std::string_view text) const;
  [[nodiscard]] Answer login(const Request& request) const;

  std::vector<std::string> hosts_;
  std::string token_;
};

/// Headers that every answer has.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> security_headers();

}  // namespace caos::studio::http
