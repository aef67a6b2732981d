#include "caos/vision/drawing/outline.hpp"

#include <algorithm>
#include <cstdint>

#include "caos/error.hpp"

namespace caos::vision {
namespace {

/// Edges lead right along the top of a patch, down its right side, left, up: the patch is always to
/// the right of who walks.
enum Direction : unsigned { right, down, left, up };

unsigned turn(unsigned direction, unsigned quarters) { return (direction + quarters) % 4; }

class Tracer {
 public:
  /// Requires patches in ascending order.
  Tracer(std::span<const Label> patches, const PatchGrid& grid)
      : patches_(patches),
        grid_(grid),
        is_member_(grid.size()),
        leaving_((grid.columns + 1) * (grid.rows + 1)) {
    for (const Label patch : patches) is_member_[patch] = 1;
    for (const Label patch : patches) add_edges(patch % grid.columns, patch / grid.columns);
  }

  std::vector<Ring> rings() {
    std::vector<Ring> result;
    for (const Label patch : patches_) {
      // Every ring has an edge that leads right, along the top of a patch; the uppermost, leftmost
      // one is met first.
      const GridCorner start{patch % grid_.columns, patch / grid_.columns};
      if (leaves(start, right)) result.push_back(trace(start));
    }
    return result;
  }

 private:
  [[nodiscard]] std::uint8_t& leaving(GridCorner at) {
    return leaving_[at.y * (grid_.columns + 1) + at.x];
  }
  [[nodiscard]] bool leaves(GridCorner at, unsigned direction) {
    return (static_cast<unsigned>(leaving(at)) >> direction & 1U) != 0;
  }

  void add_edge(GridCorner at, unsigned direction) {
    leaving(at) = static_cast<std::uint8_t>(leaving(at) | 1U << direction);
  }

  void add_edges(std::size_t x, std::size_t y) {
    const Label patch = y * grid_.columns + x;
    if (y == 0 || is_member_[patch - grid_.columns] == 0) add_edge({x, y}, right);
    if (x + 1 == grid_.columns || is_member_[patch + 1] == 0) add_edge({x + 1, y}, down);
    if (y + 1 == grid_.rows || is_member_[patch + grid_.columns] == 0) {
      add_edge({x + 1, y + 1}, left);
    }
    if (x == 0 || is_member_[patch - 1] == 0) add_edge({x, y + 1}, up);
  }

  /// Where two patches touch at a corner, turning right stays with the patch one came along.
  unsigned next_direction(GridCorner at, unsigned direction) {
    for (const unsigned quarters : {1U, 0U}) {
      if (leaves(at, turn(direction, quarters))) return turn(direction, quarters);
    }
    return turn(direction, 3);
  }

  static GridCorner step(GridCorner at, unsigned direction) {
    if (direction == right) return {at.x + 1, at.y};
    if (direction == down) return {at.x, at.y + 1};
    if (direction == left) return {at.x - 1, at.y};
    return {at.x, at.y - 1};
  }

  Ring trace(GridCorner start) {
    Ring ring;
    GridCorner at = start;
    unsigned direction = right;
    unsigned previous = up;
    do {
      if (direction != previous) ring.push_back(at);
      leaving(at) = static_cast<std::uint8_t>(leaving(at) & ~(1U << direction));
      at = step(at, direction);
      previous = direction;
      direction = next_direction(at, direction);
    } while (leaves(at, direction));
    return ring;
  }

  std::span<const Label> patches_;
  PatchGrid grid_;
  std::vector<std::uint8_t> is_member_;
  std::vector<std::uint8_t>
      leaving_;  // per corner, one bit per direction of an edge not yet walked
};

}  // namespace

std::vector<Ring> outline(std::span<const Label> patches, const PatchGrid& grid) {
  for (const Label patch : patches) {
    require(patch < grid.size(), ErrorKind::invalid_input,
            "an outline must be of patches of its grid");
  }
  if (std::ranges::is_sorted(patches)) return Tracer(patches, grid).rings();
  std::vector<Label> sorted(patches.begin(), patches.end());
  std::ranges::sort(sorted);
  return Tracer(sorted, grid).rings();
}

}  // namespace caos::vision
