#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/scores.hpp"

namespace caos::vision {

/// A corner of the grid: (0, 0) is the upper left corner of patch 0, (1, 0) the upper right one.
struct GridCorner {
  std::size_t x = 0;
  std::size_t y = 0;

  friend bool operator==(const GridCorner&, const GridCorner&) = default;
};

/// A closed polygon, its last corner joined to its first.
using Ring = std::vector<GridCorner>;

/// The boundary of a set of patches: corners only, clockwise around patches, counter-clockwise
/// around holes. Patches that touch at a corner only have rings of their own. The even-odd rule
/// fills exactly the set. Each ring starts at the left end of its uppermost edge that leads right;
/// rings are ordered by that corner, row by row. Requires patches of the grid; repeated ones count
/// once.
[[nodiscard]] std::vector<Ring> outline(std::span<const Label> patches, const PatchGrid& grid);

}  // namespace caos::vision
