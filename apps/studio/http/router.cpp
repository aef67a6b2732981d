#include "apps/studio/http/router.hpp"

#include <optional>
#include <utility>

namespace caos::studio::http {
namespace {

using Pieces = std::vector<std::string>;
using Arguments = std::map<std::string, std::string>;

Pieces split(std::string_view path) {
  Pieces pieces(1);
  for (const char letter : path) {
    if (letter == '/') {
      pieces.emplace_back();
    } else {
      pieces.back() += letter;
    }
  }
  return pieces;
}

bool stands_for_any(const std::string& piece) { return piece.starts_with('{'); }

std::optional<Arguments> match(const Pieces& pattern, const Pieces& path) {
  if (pattern.size() != path.size()) return std::nullopt;
  Arguments arguments;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (stands_for_any(pattern[i])) {
      arguments[pattern[i].substr(1, pattern[i].size() - 2)] = path[i];
    } else if (pattern[i] != path[i]) {
      return std::nullopt;
    }
  }
  return arguments;
}

void allow(std::string& allowed, const std::string& method) {
  if (allowed.empty()) allowed = "OPTIONS";
  allowed += ", " + method;
  if (method == "GET") allowed += ", HEAD";
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (const Route& route : routes_) pieces_.push_back(split(route.pattern));
}

Match Router::find(std::string_view method, std::string_view path) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  const Pieces pieces = split(path);
  Match found;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    auto arguments = match(pieces_[i], pieces);
    if (!arguments) continue;
    allow(found.allow, routes_[i].method);
    if (routes_[i].method != wanted || found.route != nullptr) continue;
    found.route = &routes_[i];
    found.arguments = std::move(*arguments);
  }
  return found;
}

}  // namespace caos::studio::http
