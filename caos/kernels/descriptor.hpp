#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

// The loops of the built-in descriptor. Each value takes its products and sums one at a time in the
// order given here, in float unless it says otherwise, so that all machines give the same bits.

/// Brightness of `count` pixels of three bytes: 0.299 red + 0.587 green + 0.114 blue.
void gray_of_rgb(const std::uint8_t* rgb, std::size_t count, float* gray);

/// sum[x] = 0 + weights[0] * rows[0][x] + weights[1] * rows[1][x] + ... for x < count.
/// `sum` must not overlap the rows.
void weighted_sum(const float* const* rows, const float* weights, std::size_t num_rows,
                  std::size_t count, float* sum);

/// Gradients between two neighboring directions.
struct GradientParts {
  float* axis_part;        ///< how much of the length goes along an axis
  float* diagonal_part;    ///< and how much along the diagonal beside it
  std::int32_t* axis;      ///< which: 0, 2, 4, 6 are right, down, left, up
  std::int32_t* diagonal;  ///< 1, 3, 5, 7, the diagonals after them
};

/// Splits `count` gradients by their angles.
void split_gradients(const float* right, const float* down, std::size_t count,
                     const GradientParts& parts);

/// A weighted sum of neighbors: those from `first` on.
struct WeightedWindow {
  std::size_t first;
  const float* weights;
  std::size_t count;
};

/// For each window, 8 sums over a row of pixels of 8 values: sums[w][d] = 0 + weights[0] *
/// row[first][d] + weights[1] * row[first + 1][d] + ...
void windowed_sums(const float* row, const WeightedWindow* windows, std::size_t num_windows,
                   float* sums);

/// Replaces each value v of each of `groups` runs of `count` values by sqrt((v + offset) / (sum *
/// groups)), where sum adds v + offset over the run from its start; in double, rounded at the end.
void root_shares(float* values, std::size_t groups, std::size_t count, double offset);

/// The same without an offset, where the sum begins with `rest`: each run's shares leave a rest,
/// whose root rests[g] = sqrt(rest / (sum * groups)) is. Requires rest > 0.
void root_shares_and_rests(float* values, std::size_t groups, std::size_t count, double rest,
                           float* rests);

}  // namespace caos::kernels
