#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/grouping.hpp"
#include "caos/scores.hpp"
#include "caos/sorted_scores.hpp"
#include "caos/test_inputs.hpp"

namespace caos {

/// The scores of the labeled examples' own labels under each other, [n, n]: all that calibration
/// needs. Entry (i, j) is s_pi_j(X_i, Y_i).
/// The diagonal, an example's score under itself, is ignored and replaced by +infinity: row i
/// is then the leave-one-out pool of example i, as long as k <= n - 1.
class OwnScores {
 public:
  /// From a matrix [n, n]; diagonals are ignored. `name` is its name in errors.
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

/// Throws unless `labels` has `count` entries below `num_labels`. `name` is their name in errors.
void check_labels(std::span<const Label> labels, std::size_t count, std::size_t num_labels,
                  const std::string& name);

struct CalibrationOptions {
  std::size_t k = 3;        ///< how many of the smallest scores a CAOS score adds
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it
};

/// Calibrated CAOS scores, ready to predict at any alpha (Alg. 1, lines 2-3).
/// Immutable but for `GrowingCalibration`; safe to share between threads.
class Calibration {
 public:
  /// From each calibration example's k smallest scores, ascending: `nearest` is [n, k].
  /// `num_references` is how many references a new input is scored under; `weights` is plain or has
  /// one weight per example.
  Calibration(Matrix<Score> nearest, Grouping grouping, std::size_t num_references,
              ExampleWeights weights = {});

  [[nodiscard]] std::size_t size() const { return nearest_.rows(); }
  [[nodiscard]] std::size_t k() const { return nearest_.cols(); }
  [[nodiscard]] std::size_t num_references() const { return num_references_; }
  [[nodiscard]] const Grouping& grouping() const { return grouping_; }
  [[nodiscard]] const ExampleWeights& weights() const { return weights_; }
  /// The same calibration scores with other weights.
  [[nodiscard]] Calibration with_weights(ExampleWeights weights) const;

  /// S_i = minsum of the leave-one-out pool, in the order of the examples (eqn. caos_loo).
  [[nodiscard]] std::span<const Score> scores() const { return scores_; }
  /// The k scores that S_i adds, ascending.
  [[nodiscard]] std::span<const Score> nearest(std::size_t i) const { return nearest_.row(i); }
  [[nodiscard]] MatrixView<const Score> nearest() const { return nearest_.view(); }
  /// The largest of them, a_i(k): only a new reference below it changes S_i.
  [[nodiscard]] std::span<const Score> kth_nearest() const { return kth_nearest_; }

  /// The scores of one group; empty for `grouping().num_groups()`, the group without examples.
  [[nodiscard]] const SortedScores& group(std::size_t g) const { return groups_[g]; }
  /// The scores that label y of such an input is compared with.
  [[nodiscard]] const SortedScores& peers(Label y, GroupId input_group) const;

  /// q-hat (eqn. caos_calib) of a group; +infinity where alpha is infeasible for its size.
  [[nodiscard]] Score threshold(const Miscoverage& alpha, std::size_t group = 0,
                                RankRule rule = RankRule::every_label) const;

  /// Whether alpha is feasible for every group.
  [[nodiscard]] bool is_feasible(const Miscoverage& alpha) const;

  /// Whether `rule` clips the rank of some group, which voids the guarantee. A group without
  /// examples has nothing to clip to: its labels are always included.
  [[nodiscard]] bool clips_rank(const Miscoverage& alpha, RankRule rule) const;

  /// The threshold of each of `num_labels` labels of such an input.
  [[nodiscard]] std::vector<Score> label_thresholds(std::size_t num_labels, GroupId input_group,
                                                    const Miscoverage& alpha,
                                                    RankRule rule = RankRule::every_label) const;

  /// The CAOS score of every label (eqn. caos_agg). Requires one column per reference.
  [[nodiscard]] std::vector<Score> label_scores(const ScoreRows& pools) const;

  /// The labels whose CAOS score is at most the threshold (eqn. caos_set).
  [[nodiscard]] PredictionSet predict_set(const TestInput& input, const Miscoverage& alpha,
                                          RankRule rule = RankRule::every_label) const;

  /// How the peers of every label compare with its CAOS score.
  [[nodiscard]] std::vector<Exceedances> exceedances(const TestInput& input) const;

  /// The conformal p-value of every label; y is in the set at alpha iff its p-value is > alpha.
  [[nodiscard]] std::vector<double> predict_p(const TestInput& input) const;

 private:
  friend class GrowingCalibration;

  Matrix<Score> nearest_;
  std::size_t num_references_;
  std::vector<Score> kth_nearest_;
  std::vector<Score> scores_;
  Grouping grouping_;
  ExampleWeights weights_;
  std::vector<SortedScores> groups_;
};

/// Throws `invalid_input` unless 1 <= k <= n - 1.
void check_k(std::size_t k, std::size_t n);

/// Leave-one-out calibration of n labeled examples. Requires 1 <= k <= n - 1.
[[nodiscard]] Calibration calibrate(const OwnScores& own, const CalibrationOptions& options = {});

/// The same with a guarantee within each group: all examples are references, but a pair (x, y) is
/// compared only with examples of its own group. A group too small for alpha admits its labels.
[[nodiscard]] Calibration calibrate(const OwnScores& own, const Grouping& grouping,
                                    const CalibrationOptions& options = {});

/// The k smallest scores, ascending, of every example in `rows` under the references in `columns`
/// other than itself: [rows, k]. Requires k <= columns - 1 if any row is a column, else columns.
[[nodiscard]] Matrix<Score> nearest_among(const OwnScores& own, const Indices& rows,
                                          const Indices& columns, std::size_t k);

}  // namespace caos
