#pragma once

#include <cstddef>

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

}  // namespace caos
