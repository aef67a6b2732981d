#pragma once

#include <cstddef>

#include "caos/scores.hpp"

namespace caos::vision {

/// A point in pixels, continuous: pixel i covers [i, i + 1), from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// Square patches over an image that is padded on the right and below to whole patches.
/// Patches are numbered row by row: patch = row * columns + column.
struct PatchGrid {
  std::size_t patch_size = 16;
  std::size_t columns = 0;
  std::size_t rows = 0;

  [[nodiscard]] std::size_t size() const { return columns * rows; }

  /// The patch that holds the point. Requires a point inside the grid.
  [[nodiscard]] Label patch_at(Point point) const;
  /// The upper left corner of a patch.
  [[nodiscard]] Point corner(Label patch) const;

  friend bool operator==(const PatchGrid&, const PatchGrid&) = default;
};

/// The grid of an image: 178 x 218 with patches of 16 gives 12 x 14. Requires positive sizes.
[[nodiscard]] PatchGrid grid_over(std::size_t width, std::size_t height, std::size_t patch_size);

}  // namespace caos::vision
