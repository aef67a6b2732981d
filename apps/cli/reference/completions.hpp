#pragma once

#include <string>

#include "apps/cli/command.hpp"

/// Scripts that let a shell complete commands, options and their values.
namespace caos::cli {

[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

}  // namespace caos::cli
