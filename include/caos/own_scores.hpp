#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// The scores of the labeled examples' own labels under each other, [n, n]: all that calibration
/// needs. Entry (i, j) is s_pi_j(X_i, Y_i).
/// The diagonal, an example's score under itself, is ignored and replaced by +infinity: row i
/// is then the leave-one-out pool of example i, as long as k <= n - 1.
class OwnScores {
 public:
  /// From a matrix [n, n]; diagonals are ignored. `name` is what errors call it.
  /// Requires n >= 2, a square, and valid scores (scores.hpp).
  explicit OwnScores(const ScoreRows& scores, const std::string& name = "calibration");

  /// From all scores of the labeled examples [n, K, n]. Requires labels[i] < K for n labels, and
  /// valid scores except those of an example under itself.
  [[nodiscard]] static OwnScores of_labeled(const ScoreTensor& labeled,
                                            std::span<const Label> labels);

  [[nodiscard]] std::size_t size() const { return matrix_.rows(); }
  [[nodiscard]] Score operator()(std::size_t i, std::size_t j) const { return matrix_(i, j); }
  [[nodiscard]] ScorePool row(std::size_t i) const { return matrix_.row(i); }
  [[nodiscard]] MatrixView<const Score> view() const { return matrix_.view(); }

 private:
  explicit OwnScores(Matrix<Score> matrix);

  Matrix<Score> matrix_;
};

/// Throws unless the scores of the labeled examples are [n, K, n].
void check_labeled(const ScoreTensor& labeled);

/// Throws unless `labels` has `count` entries below `num_labels`. `name` is what errors call them.
void check_labels(std::span<const Label> labels, std::size_t count, std::size_t num_labels,
                  const std::string& name);

}  // namespace caos
