#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/core/types.hpp"
#include "caos/numerics/conformal_rank.hpp"
#include "caos/numerics/example_weights.hpp"
#include "caos/numerics/p_value.hpp"

namespace caos {

/// Calibration scores in ascending order: answers thresholds and p-values for every alpha.
///
/// Scores may have whole weights. A score of weight w then counts as w equal scores, and a new
/// example of weight v brings v - 1 further scores of +infinity, which always conform. With
/// `units()` scores counted so, everything is as without weights:
/// p = (1 + at_least) / (units + 1) is the weighted p-value of example_weights.hpp.
class SortedScores {
 public:
  SortedScores() = default;
  explicit SortedScores(std::vector<Score> scores);
  /// Requires plain weights, or one of at least 1 per score and a sum of at most 2^62.
  SortedScores(std::vector<Score> scores, const ExampleWeights& weights);

  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  [[nodiscard]] bool is_weighted() const { return !weight_from_.empty(); }
  /// The n of p-values and ranks: `size()`, or the sum of all weights, the new one's included,
  /// less 1.
  [[nodiscard]] std::size_t units() const { return own_units() + always_; }
  [[nodiscard]] std::span<const Score> values() const { return scores_; }

  /// The rank, among `units()`, that decides; clipped to the largest score where `rule` says so.
  [[nodiscard]] std::size_t rank(const Miscoverage& alpha,
                                 RankRule rule = RankRule::every_label) const;

  /// Whether alpha admits a finite threshold: alpha >= `smallest_feasible_alpha()`.
  [[nodiscard]] bool is_feasible(const Miscoverage& alpha) const;
  /// The share of the new example in the sum of all weights: 1 / (n + 1) without weights.
  [[nodiscard]] double smallest_feasible_alpha() const;

  /// The score at `rank`, q-hat; +infinity where the rank exceeds what the scores weigh.
  [[nodiscard]] Score threshold(const Miscoverage& alpha,
                                RankRule rule = RankRule::every_label) const;

  /// In units.
  [[nodiscard]] Exceedances exceedances(Score s) const;

  /// Takes `removed` out and puts `added` in: one copy of the scores and a search for each change.
  /// Each removed score must be present. Requires scores without weights.
  void replace(std::vector<Score> removed, std::vector<Score> added);

 private:
  /// What the scores themselves weigh.
  [[nodiscard]] std::size_t own_units() const { return is_weighted() ? weight_from_[0] : size(); }
  /// What the scores from position i on weigh.
  [[nodiscard]] std::size_t units_from(std::size_t i) const {
    return is_weighted() ? weight_from_[i] : size() - i;
  }

  std::vector<Score> scores_;
  std::vector<std::size_t> weight_from_;  ///< by position, and 0 at the end; empty without weights
  std::size_t always_ = 0;                ///< units that always conform
};

}  // namespace caos
