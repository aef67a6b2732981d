#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/guarantee.hpp"
#include "caos/scores.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {

/// One threshold for many tasks of the same input, so that all their sets contain their true
/// labels at once with probability at least 1 - alpha.
/// The score of an example is the largest of its tasks' CAOS scores, each times a fixed weight;
/// that maximum is again symmetric and monotone, so the paper's theorem holds for it. An example
/// counts with the tasks it has; the guarantee is for the tasks present, for any reason why
/// others are absent.
class JointCalibration {
 public:
  /// `scores` is [tasks, examples]: the calibration scores S_i of each task; NaN marks an example
  /// without that task. `weights` is one positive number per task, or empty for all 1; they must be
  /// fixed before the data are seen. Examples without any task are left out.
  /// `examples` are weights of examples, for weighted p-values.
  explicit JointCalibration(const Matrix<Score>& scores, std::vector<double> weights = {},
                            const ExampleWeights& examples = {});

  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  [[nodiscard]] const SortedScores& scores() const { return scores_; }

  [[nodiscard]] Score threshold(const Miscoverage& alpha,
                                RankRule rule = RankRule::every_label) const;

  /// `simultaneous`; `none` once a rank beyond n was clipped.
  [[nodiscard]] Guarantee guarantee(const Miscoverage& alpha,
                                    RankRule rule = RankRule::every_label) const;

  /// The set of one task from the CAOS scores of its labels.
  [[nodiscard]] PredictionSet predict_set(std::size_t task, std::span<const Score> label_scores,
                                          const Miscoverage& alpha,
                                          RankRule rule = RankRule::every_label) const;

  /// The p-value of each label of one task; y is in the set at alpha iff it is > alpha.
  [[nodiscard]] std::vector<double> predict_p(std::size_t task,
                                              std::span<const Score> label_scores) const;

 private:
  [[nodiscard]] double weight_of(std::size_t task) const;

  std::vector<double> weights_;
  SortedScores scores_;
};

}  // namespace caos
