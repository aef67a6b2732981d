#pragma once

#include <functional>
#include <variant>

#include "caos/classification.hpp"
#include "caos/classification/candidate_scores.hpp"
#include "caos/classification/kernel_votes.hpp"
#include "caos/classification/ratio_scores.hpp"
#include "caos/classification/reference_vectors.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// Labeled vectors with the scores of full conformal prediction, ready for new ones.
class VectorRule {
 public:
  VectorRule(const LabeledVectors& labeled, const VectorClassifierOptions& options);

  /// Calls `use(t, scores)` for every row t of `inputs`, on up to `threads` threads.
  void for_each(MatrixView<const double> inputs, const std::string& name, std::size_t threads,
                const std::function<void(std::size_t t, const CandidateScores& scores)>& use) const;

 private:
  /// Unit vectors of examples and labels, and their votes.
  struct Kernel {
    Matrix<float> vectors;
    Matrix<float> label_vectors;
    KernelVotes votes;
  };
  struct Ratio {
    ReferenceVectors vectors;
    RatioScores scores;
  };
  using Rule = std::variant<Kernel, Ratio>;
  [[nodiscard]] static Rule rule_of(const LabeledVectors& labeled,
                                    const VectorClassifierOptions& options);
  [[nodiscard]] bool needs_directions() const;

  Rule rule_;
};

[[nodiscard]] KernelOptions kernel_options(const VectorClassifierOptions& options);

}  // namespace caos::classification
