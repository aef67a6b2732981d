#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/options.hpp"

namespace caos::cli {

/// The methods that a command evaluates.
struct MethodChoice {
  std::vector<Method> methods{};
  std::vector<std::string> left_out{};  ///< one sentence for each that cannot run here
};

/// Why a method cannot run on what is given, or nothing.
using MethodObstacle = std::function<std::optional<std::string>(Method)>;

/// The methods that --methods names, whether they can run or not. Where it says `all`, or is not
/// given, those of all methods, or of caos, full-caos and scos, that can run. Throws
/// `invalid_input` for unknown names.
[[nodiscard]] MethodChoice choose_methods(const std::vector<std::string>& names,
                                          const MethodObstacle& obstacle);

/// Adds --methods.
Option* add_methods(Command& command, std::vector<std::string>& names);

}  // namespace caos::cli
