#pragma once

#include <string>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The figures of `caos experiment raft` as CSV: a row for each task, method and alpha, with every
/// digit. What is null is an empty field.
[[nodiscard]] std::string raft_csv(const Json& results);

}  // namespace caos::cli
