#pragma once

#include <cstddef>
#include <vector>

#include "caos/classification.hpp"
#include "caos/scores.hpp"

/// Full conformal classification as it is defined, in plain loops: the candidate joins the labeled
/// examples, and every score is computed again.
namespace caos::plain {

/// Labeled examples and one new input, and how they compare in pairs.
class VectorDefinition {
 public:
  /// Of full_kernel or full_ratio, as `how` says, without standardization.
  VectorDefinition(const LabeledVectors& labeled, std::span<const double> input,
                   const VectorClassifierOptions& how);

  /// The p-value of label y, among the examples with its label alone if `by_label`.
  [[nodiscard]] double p_value(Label y, bool by_label = false) const;

 private:
  [[nodiscard]] Score score(const std::vector<Label>& labels, std::size_t i) const;
  [[nodiscard]] Score kernel_score(const std::vector<Label>& labels, std::size_t i) const;
  [[nodiscard]] Score ratio_score(const std::vector<Label>& labels, std::size_t i) const;

  const LabeledVectors& labeled_;
  VectorClassifierOptions how_;
  Matrix<double> pairs_;      ///< [n + 1, n + 1]: cosines or distances, the input last
  Matrix<double> to_labels_;  ///< [n + 1, K]: cosines with the labels' vectors; or no rows
};

}  // namespace caos::plain
