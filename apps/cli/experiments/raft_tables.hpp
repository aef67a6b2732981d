#pragma once

#include <string>

#include "apps/cli/experiments/raft_results.hpp"

/// The tables of the page on text tasks, as HTML.
namespace caos::cli::raft_tables {

/// `both`, `caos-only`, `scos-only` or `neither`.
[[nodiscard]] const char* group_name(ReachesTarget reaches);

/// The same for readers: `Both reach the target`.
[[nodiscard]] const char* group_label(ReachesTarget reaches);

/// Each method at each alpha, over all tasks and splits.
[[nodiscard]] std::string overall(const std::vector<RaftOverall>& rows);

/// Coverage and set size of every method on each task at one alpha; tasks are grouped by who
/// reaches the target.
[[nodiscard]] std::string tasks_at(const RaftGroup& group, const std::vector<Method>& methods);

/// What each task consists of, and how many of its prompts were shortened.
[[nodiscard]] std::string texts(const std::vector<RaftTask>& tasks);

}  // namespace caos::cli::raft_tables
