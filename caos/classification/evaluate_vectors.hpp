#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/classification.hpp"
#include "caos/evaluate.hpp"
#include "caos/split.hpp"

namespace caos::classification {

/// Test examples.
struct TestVectors {
  Matrix<double> vectors{};       ///< [m, D]
  std::vector<Label> labels{};    ///< `unlisted_label` where the list lacks it
  std::vector<GroupId> groups{};  ///< for a grouping by input
  std::string name = "test vectors";
};

struct VectorEvaluateOptions {
  std::vector<Method> methods{};
  std::vector<Miscoverage> alphas{};
  VectorClassifierOptions classifier{};  ///< its method is ignored; k is that of full-ratio
  std::size_t k = 3;                     ///< of the methods on score arrays
  Grouping grouping = Grouping::none(0);
  split::Partition partition{};
  RankRule rule = RankRule::every_label;
  std::optional<TrainingConditional> conditional{};  ///< of split-caos
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// Every method at every alpha on the test examples, in the order of `methods`, then of `alphas`.
/// Throws as `VectorClassifier` and `evaluate` do, and `invalid_input` where score arrays would
/// take more than 8 GiB.
[[nodiscard]] std::vector<MethodResult> evaluate_vectors(const LabeledVectors& labeled,
                                                         const TestVectors& test,
                                                         const VectorEvaluateOptions& options);

}  // namespace caos::classification
