#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// Rows of templates are padded with zeros to a multiple of this, and rows of windows may be read
/// so far beyond the last value that counts.
inline constexpr std::size_t correlate_padding = 64;

/// A square of gray values, row by row.
struct GraySquare {
  const std::int16_t* values;  ///< from 0 to 255
  std::size_t side;
  std::size_t stride;  ///< from row to row
};

/// sums[y * positions + x] = sum over rows i and columns j of
/// pattern[i][j] * window[y + i][x + j], for x and y below positions = window.side - pattern.side +
/// 1. Whole numbers, so that the order of additions does not matter.
///
/// Requires pattern.side <= 128, pattern.stride a multiple of `correlate_padding` with zeros beyond
/// the side, and window.stride >= positions - 1 + pattern.stride.
void correlate(const GraySquare& pattern, const GraySquare& window, std::int32_t* sums);

}  // namespace caos::kernels
