#pragma once

#include <string>

#include "apps/cli/program.hpp"

/// The tables of the page on text tasks. Each takes the results as `caos experiment raft` gathers
/// them, and copes with whatever is null or absent in them.
namespace caos::cli::raft_tables {

/// The words for a group of tasks, by who reaches the target coverage: `both`, `caos-only`,
/// `scos-only` or `neither`.
[[nodiscard]] std::string group_label(const std::string& reaches);

/// Each method at each alpha, over all tasks and splits.
[[nodiscard]] std::string overall(const Json& results);

/// Coverage and set size of every method on each task at one alpha; tasks are grouped by who
/// reaches the target.
[[nodiscard]] std::string tasks_at(const Json& results, const std::string& alpha);

/// What each task consists of, and how many of its prompts were shortened.
[[nodiscard]] std::string texts(const Json& results);

}  // namespace caos::cli::raft_tables
