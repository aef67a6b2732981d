#pragma once

#include "apps/cli/program.hpp"

namespace caos::cli {

/// All commands and options, and what is said for every command.
[[nodiscard]] Json reference_json(const Command& program);

}  // namespace caos::cli
