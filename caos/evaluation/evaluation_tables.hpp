#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/evaluate.hpp"
#include "caos/evaluation/table.hpp"

namespace caos {

/// What an evaluation found and what it was made of, as people read it.
struct EvaluationReport {
  std::size_t n = 0;
  std::size_t num_labels = 0;
  std::size_t num_test = 0;
  std::size_t k = 0;                       ///< of methods on score arrays; 0: there is none
  std::vector<std::string> label_names{};  ///< what groups by label are called; empty: by number
  std::vector<MethodResult> results{};
};

/// One row per result.
[[nodiscard]] Table summary_table(const EvaluationReport& report);

/// One row per group of a result.
[[nodiscard]] Table group_table(const MethodResult& result,
                                const std::vector<std::string>& label_names);

/// What stands above `summary_table`, and above the `group_table` of a result.
[[nodiscard]] std::string title(const EvaluationReport& report);
[[nodiscard]] std::string title_of_groups(const MethodResult& result);

/// The distinct explanations of the guarantees in a table, one line each, and the assumption.
[[nodiscard]] std::vector<std::string> guarantee_lines(const EvaluationReport& report);

/// All of this, one below the other.
[[nodiscard]] std::string text_of(const EvaluationReport& report);

/// `0.947 [0.91, 0.97]`, or the coverage alone where there is no interval.
[[nodiscard]] std::string coverage_text(const Evaluation& evaluation);

/// What a group is called: its label's name where labels have names and groups are labels.
[[nodiscard]] std::string group_name(const GroupResult& group,
                                     const std::vector<std::string>& label_names);

}  // namespace caos
