#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

namespace caos {

/// How calibration scores compare with one test score.
struct Exceedances {
  std::size_t greater = 0;
  std::size_t equal = 0;

  /// #{i : S_i >= s}; ties count as conforming.
  [[nodiscard]] std::size_t at_least() const { return greater + equal; }

  friend bool operator==(const Exceedances&, const Exceedances&) = default;
};

/// The conformal p-value (1 + #{i : S_i >= s}) / (n + 1).
[[nodiscard]] inline double p_value(const Exceedances& e, std::size_t n) {
  return static_cast<double>(1 + e.at_least()) / static_cast<double>(n + 1);
}

/// The smoothed p-value (#{S_i > s} + u (1 + #{S_i = s})) / (n + 1) with u uniform on [0, 1).
/// It never exceeds `p_value`, and monotonicity in each S_i carries over, so a set of labels with
/// smoothed p-value > alpha keeps the guarantee of the unsmoothed method.
[[nodiscard]] inline double smoothed_p_value(const Exceedances& e, std::size_t n, double u) {
  return (static_cast<double>(e.greater) + u * static_cast<double>(1 + e.equal)) /
         static_cast<double>(n + 1);
}

/// Whether a label with these exceedances among n scores is in the set that `rank` decides.
/// The same as s <= the score at that rank, and as p > alpha when `rank` is the conformal rank.
[[nodiscard]] inline bool conforms(const Exceedances& e, std::size_t n, std::size_t rank) {
  return e.at_least() + rank >= n + 1;
}

/// A positive fraction.
struct Fraction {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

/// Whole weights of calibration examples and of the new example, for weighted p-values:
/// p = (new_example + weight of {i : S_i >= s}) / (new_example + weight of all examples).
struct ExampleWeights {
  std::vector<std::uint64_t> examples{};  ///< empty: every example weighs 1
  std::uint64_t new_example = 1;

  [[nodiscard]] bool is_plain() const { return examples.empty(); }
  [[nodiscard]] std::uint64_t of(std::size_t i) const { return is_plain() ? 1 : examples[i]; }
  /// The weights of some of the examples; the new example keeps its own.
  [[nodiscard]] ExampleWeights at(const Indices& some) const;

  friend bool operator==(const ExampleWeights&, const ExampleWeights&) = default;
};

/// The largest sum of whole weights: doubles can still distinguish two p-values.
inline constexpr std::uint64_t most_weight = std::uint64_t{1} << 50U;

/// The smallest whole numbers in the ratio of these weights. Where their sum, the new example's
/// included, would exceed `most`, weights are multiples of the smallest power of two that fits:
/// those of examples are rounded down, the new example's is rounded up and raised by one unit per
/// example. Rounding so never lowers a p-value, so sets only grow. Plain where all are equal.
/// Requires numerators and denominators in 1 ... 2^62, and weights whose sum is at most `most`.
[[nodiscard]] ExampleWeights whole_weights(const Fraction& new_example,
                                           std::span<const Fraction> examples,
                                           std::uint64_t most = most_weight);

/// Calibration scores in ascending order: answers thresholds and p-values for every alpha.
///
/// Scores may have whole weights. A score of weight w then counts as w equal scores, and a new
/// example of weight v brings v - 1 further scores of +infinity, which always conform. With
/// `units()` scores counted so, everything is as without weights:
/// p = (1 + at_least) / (units + 1) is the weighted p-value of `ExampleWeights`.
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

  /// The score at `rank`, q-hat; +infinity where the rank exceeds the weight of the scores.
  [[nodiscard]] Score threshold(const Miscoverage& alpha,
                                RankRule rule = RankRule::every_label) const;

  /// In units.
  [[nodiscard]] Exceedances exceedances(Score s) const;

  /// Takes `removed` out and puts `added` in: one copy of the scores and a search for each change.
  /// Each removed score must be present. Requires scores without weights.
  void replace(std::vector<Score> removed, std::vector<Score> added);

 private:
  /// The total weight of the scores.
  [[nodiscard]] std::size_t own_units() const { return is_weighted() ? weight_from_[0] : size(); }
  /// The weight of the scores from position i.
  [[nodiscard]] std::size_t units_from(std::size_t i) const {
    return is_weighted() ? weight_from_[i] : size() - i;
  }

  std::vector<Score> scores_;
  std::vector<std::size_t> weight_from_;  ///< by position, and 0 at the end; empty without weights
  std::size_t always_ = 0;                ///< units that always conform
};

}  // namespace caos
