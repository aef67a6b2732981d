#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/classification/candidate_scores.hpp"
#include "caos/classification/reference_vectors.hpp"
#include "caos/scores.hpp"

namespace caos::classification {

/// How many neighbors a ratio adds.
struct RatioOptions {
  std::size_t k = 1;
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it
};

/// full-ratio, for any symmetric distance: the nearer the own class and the farther all others, the
/// better an example conforms.
///
///     S(x, y; D) = (sum of the k smallest distances from x to examples of D with label y)
///                / (sum of the k smallest distances from x to examples of D with other labels)
///
/// The example itself is left out of D. Sums go from the smallest term to the largest, in double,
/// and the ratio is one division. Where there are fewer than k examples, the largest of their
/// distances is added again until there are k terms. Without an example of the label S is +inf;
/// with one, and none of other labels, S is 0. Zeros: 0 / 0 is 1, and d / 0 is +inf.
///
/// Immutable; safe to share between threads.
class RatioScores {
 public:
  /// From the distances of all pairs of examples, [n, n], whose diagonal is ignored.
  /// Throws `invalid_input` unless 1 <= k <= n, the array is a square and there is one label
  /// below K per row; `bad_format` for a distance that is not a number from 0 to 1e300.
  RatioScores(MatrixView<const double> distances, std::span<const Label> labels,
              std::size_t num_labels, const RatioOptions& options = {});

  /// From vectors and their distances, without keeping all of these at once.
  [[nodiscard]] static RatioScores of_vectors(const ReferenceVectors& vectors,
                                              std::span<const Label> labels, std::size_t num_labels,
                                              const RatioOptions& options = {});

  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }
  [[nodiscard]] std::span<const Label> labels() const { return labels_; }
  [[nodiscard]] const RatioOptions& options() const { return options_; }

  /// The scores of a new input x with all its candidate labels, from its distances to the n
  /// examples, which are checked as above. O(n k + K k).
  [[nodiscard]] CandidateScores candidates(std::span<const double> distances) const;

 private:
  RatioScores(std::span<const Label> labels, std::size_t num_labels, const RatioOptions& options);
  void set_example(std::size_t i, std::span<const double> distances);

  std::vector<Label> labels_;
  std::size_t num_labels_;
  RatioOptions options_;
  Matrix<double> same_;   ///< [n, k]: the k smallest distances to the own class, +inf beyond
  Matrix<double> other_;  ///< [n, k]: those to all other classes
};

}  // namespace caos::classification
