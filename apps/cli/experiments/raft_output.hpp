#pragma once

#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/text_experiment.hpp"

namespace caos::cli {

/// One task of `experiment raft`.
struct RaftTask {
  std::vector<std::string> text_columns{};
  ScoringReport scoring{};  ///< of all texts under each other
  TextTaskExperiment experiment{};
};

/// What `experiment raft` did and found.
struct RaftOutput {
  std::string command{};        ///< without what changes no result
  std::string template_hash{};  ///< of the prompt
  TextExperimentOptions options{};
  std::vector<RaftTask> tasks{};
  std::string report{};  ///< where the page is
};

/// The results as the page on text tasks wants them.
[[nodiscard]] Json to_json(const RaftOutput& output);

/// What a reader has to know besides the figures.
[[nodiscard]] std::vector<std::string> raft_notes(const RaftOutput& output);

/// The main table and where the page is.
[[nodiscard]] std::string to_text(const RaftOutput& output);

/// A method at an alpha over all tasks, each counting alike.
struct OverTasks {
  MeanWithError coverage{};
  MeanWithError mean_set_size{};
};

/// The standard errors are over splits, of their means over tasks: given the tables, splits are
/// independent draws.
[[nodiscard]] OverTasks over_tasks(const RaftOutput& output, Method method,
                                   const Miscoverage& alpha);

/// How far the coverage is above the target, in standard errors; nothing where there is none.
[[nodiscard]] std::optional<double> errors_from_target(const MeanWithError& coverage,
                                                       const Miscoverage& alpha);

}  // namespace caos::cli
