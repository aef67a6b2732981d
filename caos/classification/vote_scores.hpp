#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/classification.hpp"
#include "caos/classification/kernel_votes.hpp"
#include "caos/scores.hpp"

/// Kernel votes as one-shot scores, for the paper's methods: reference j alone votes, and the score
/// of (x, y) is -ln P(y | x; {j}), which is finite for every label.
namespace caos::classification {

/// The scores of every label of x under every reference, [K, n], from its cosines with them and its
/// prior.
void vote_scores(std::span<const double> cosines, const LabelPrior& prior,
                 std::span<const Label> labels, double temperature, MatrixView<Score> out);

/// Entry (y, i), [K, n], is the score of example i's own label under the reference (x, y); `priors`
/// are those of the examples.
void reverse_vote_scores(std::span<const double> cosines, std::span<const LabelPrior> priors,
                         std::span<const Label> labels, double temperature, MatrixView<Score> out);

/// Unit vectors as references.
struct VoteReferences {
  MatrixView<const float> vectors{};        ///< [n, D]
  std::span<const Label> labels{};          ///< [n]
  std::size_t num_labels = 0;               ///< K
  MatrixView<const float> label_vectors{};  ///< [K, D], or empty
  KernelOptions options{};

  /// The prior of every row of `inputs`.
  [[nodiscard]] std::vector<LabelPrior> priors(MatrixView<const float> inputs) const;
  /// The scores of the rows of `inputs`, [inputs * K, n]: as `ScoreTensor` takes them. Those of the
  /// examples themselves are the array [n, K, n] of labeled examples.
  [[nodiscard]] Matrix<Score> scores(MatrixView<const float> inputs) const;
  /// Their reverse scores, for Full CAOS, in the same shape.
  [[nodiscard]] Matrix<Score> reverse_scores(MatrixView<const float> inputs) const;
};

/// The votes of labeled vectors under each other, as arrays [n, K, n] for the paper's methods.
class VoteArrays {
 public:
  /// Of the options only temperature, prior weight, standardization and threads matter.
  VoteArrays(const LabeledVectors& labeled, const VectorClassifierOptions& options);

  /// How much memory they take.
  [[nodiscard]] static double bytes(const LabeledVectors& labeled);

  [[nodiscard]] ScoreTensor scores() const;
  [[nodiscard]] ScoreTensor reverse() const;

 private:
  Matrix<Score> scores_;
  Matrix<Score> reverse_;
  std::size_t num_labels_;
};

}  // namespace caos::classification
