#pragma once

#include <string>
#include <vector>

#include "caos/engine/evaluate.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `caos evaluate` found.
struct EvaluationOutput {
  std::size_t n = 0;
  std::size_t num_labels = 0;
  std::size_t num_test = 0;
  std::size_t k = 0;
  std::vector<std::string> label_names{};  ///< what groups by label are called; empty: by number
  std::vector<MethodResult> results{};
};

[[nodiscard]] Json to_json(const EvaluationOutput& output);
[[nodiscard]] std::string to_text(const EvaluationOutput& output);

/// The distinct explanations of the guarantees in a table, one line each, and the assumption.
[[nodiscard]] std::vector<std::string> guarantee_lines(const EvaluationOutput& output);

/// `0.947 [0.91, 0.97]`, or the coverage alone where there is no interval.
[[nodiscard]] std::string coverage_text(const Evaluation& evaluation);

}  // namespace caos::cli
