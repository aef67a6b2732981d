#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace caos::kernels {

/// Labels of an image, row by row: those of rows `first_row` to `last_row` - 1 are bounded. A
/// label's center is at ((column + 0.5) * side, (row + 0.5) * side).
struct LabelRows {
  std::size_t columns = 0;
  std::size_t first_row = 0;
  std::size_t last_row = 0;
  double side = 1;
};

/// Scores that grow with the distance from a place: factor * squared distance where that is less
/// than reach^2, plus a descriptor term (below) that is not negative.
struct DistanceTerms {
  double factor = 1;
  double reach = 1;
  int error = 0;  ///< of coarse similarities, in units of 1 / coarse_one
};

/// A reference of one landmark.
struct PlacedTerms {
  double x = 0;  ///< where it is estimated to lie
  double y = 0;
  /// Coarse similarities by label, all of them and `near_padding` more that may be read; null: the
  /// descriptor term is not known.
  const std::int16_t* similarities = nullptr;
  double inverse = 0;  ///< factor of (1 - similarity)
};

/// How many values may be read or written past the last label.
inline constexpr std::size_t near_padding = 8;

/// Where the `k` smallest bounds of each label go, ascending: values[j * stride + label], labels
/// counted from the first of `first_row`. `stride` is at least their number and `near_padding`.
struct NearValues {
  double* values = nullptr;
  std::size_t stride = 0;
  std::size_t k = 0;
};

/// Relative to sums of a few terms that are not negative, more than roundings in double change.
inline constexpr double near_slack = 1e-12;

/// Puts, for every reference and label that is near it, a lower bound of the score into `low` and,
/// where similarities are known, an upper one into `high`; where not, `high` is not touched.
void keep_near(const LabelRows& labels, const DistanceTerms& terms,
               std::span<const PlacedTerms> references, const NearValues& low,
               const NearValues& high);

}  // namespace caos::kernels
