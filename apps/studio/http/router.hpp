#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/studio/http/route.hpp"

namespace caos::studio::http {

/// What a path leads to.
struct Match {
  const Route* route = nullptr;  ///< none: unknown path, or not by this method
  std::map<std::string, std::string> arguments{};
  std::string allow{};  ///< the methods that the path knows; empty: unknown path
};

/// Finds the route of a request. Paths are compared piece by piece and are never names of files.
class Router {
 public:
  explicit Router(std::vector<Route> routes);

  /// HEAD is GET.
  [[nodiscard]] Match find(std::string_view method, std::string_view path) const;

  [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> pieces_;  // of each pattern
};

}  // namespace caos::studio::http
