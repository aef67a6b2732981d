#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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
struct RaftResults {
  std::string command{};        ///< without what changes no result
  std::string template_hash{};  ///< of the prompt
  TextExperimentOptions options{};
  std::vector<RaftTask> tasks{};
};

/// A method at an alpha over all tasks, each counting alike. The standard errors are over splits,
/// of their means over tasks: given the tables, splits are independent draws.
struct RaftOverall {
  Method method;
  Miscoverage alpha;
  Guarantee guarantee{};
  MeanWithError coverage{};
  std::optional<double> errors_from_target{};  ///< of the coverage, in standard errors
  MeanWithError mean_set_size{};
};

/// Tasks of which the same methods reach the target coverage.
struct RaftPart {
  ReachesTarget reaches = ReachesTarget::both;
  std::vector<const RaftTask*> tasks{};
};

/// CAOS against SCOS at an alpha, by number of tasks.
struct RaftGroup {
  Miscoverage alpha;
  std::size_t caos_smaller = 0;
  std::size_t caos_equal = 0;
  std::vector<RaftPart> parts{};  ///< those with tasks
};

/// By alpha, then method.
[[nodiscard]] std::vector<RaftOverall> overall_of(const RaftResults& results);

/// By alpha; empty without CAOS or SCOS.
[[nodiscard]] std::vector<RaftGroup> groups_of(const RaftResults& results);

/// Calls `visit(task, result)` by task, alpha, then method.
template <typename Visit>
void for_each_result(const RaftResults& results, Visit visit) {
  for (const RaftTask& task : results.tasks) {
    for (const Miscoverage& alpha : results.options.alphas) {
      for (const Method method : results.options.methods) {
        visit(task, *find_result(task.experiment, method, alpha));
      }
    }
  }
}

/// What standard errors are over: `5 splits`.
[[nodiscard]] std::string error_over(const RaftResults& results);

/// How a label's score follows from its tokens.
[[nodiscard]] const char* normalization_meaning(const ScoringReport& scoring);

/// What a reader has to know besides the figures.
[[nodiscard]] std::vector<std::string> raft_notes(const RaftResults& results);

[[nodiscard]] Json to_json(const RaftResults& results);

/// A table per alpha.
[[nodiscard]] std::string to_text(const RaftResults& results);

/// A line for each task, method and alpha, with every digit.
[[nodiscard]] std::string raft_csv(const RaftResults& results);

/// A page with the paper's figure for each alpha, and tables. Self-contained: it opens from a file
/// without any request, and its own policy forbids them. Empty parts are left out. Tables need no
/// script; figures are drawn by Vega, and where the program was built without it the page says so.
[[nodiscard]] std::string raft_page(const RaftResults& results);

}  // namespace caos::cli
