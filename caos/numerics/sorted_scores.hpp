#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/core/types.hpp"
#include "caos/numerics/conformal_rank.hpp"
#include "caos/numerics/p_value.hpp"

namespace caos {

/// Calibration scores in ascending order: answers thresholds and p-values for every alpha.
class SortedScores {
 public:
  SortedScores() = default;
  explicit SortedScores(std::vector<Score> scores);

  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  [[nodiscard]] std::span<const Score> values() const { return scores_; }

  /// The score at conformal rank, q-hat; +infinity where the rank exceeds `size()`.
  [[nodiscard]] Score threshold(const Miscoverage& alpha,
                                RankRule rule = RankRule::every_label) const;

  [[nodiscard]] Exceedances exceedances(Score s) const;

  /// Takes `removed` out and puts `added` in: one copy of the scores and a search for each change.
  /// Each removed score must be present.
  void replace(std::vector<Score> removed, std::vector<Score> added);

 private:
  std::vector<Score> scores_;
};

}  // namespace caos
