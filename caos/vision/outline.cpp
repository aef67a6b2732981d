#include "caos/vision/outline.hpp"

#include <cstdint>

#include "caos/core/error.hpp"

namespace caos::vision {
namespace {

/// Edges lead right along the top of a patch, down its right side, left, up: the patch is always to
/// the right of who walks.
enum Direction : unsigned { right, down, left, up };

unsigned turn(unsigned direction, unsigned quarters) { return (direction + quarters) % 4; }

class Tracer {
 public:
  Tracer(std::span<const Label> patches, const PatchGrid& grid)
      : grid_(grid), is_member_(grid.size()), leaving_((grid.columns + 1) * (grid.rows + 1)) {
    for (const Label patch : patches) {
      require(patch < grid.size(), ErrorKind::invalid_input,
              "an outline must be of patches of its grid");
      is_member_[patch] = true;
    }
    for (Label patch = 0; patch < grid.size(); ++patch) {
      if (is_member_[patch]) add_edges(patch % grid.columns, patch / grid.columns);
    }
  }

  std::vector<Ring> rings() {
    std::vector<Ring> result;
    for (std::size_t y = 0; y <= grid_.rows; ++y) {
      for (std::size_t x = 0; x <= grid_.columns; ++x) {
        // Every ring has an edge that leads right; the uppermost, leftmost one is met first.
        if (leaves({x, y}, right)) result.push_back(trace({x, y}));
      }
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
    if (y == 0 || !is_member_[patch - grid_.columns]) add_edge({x, y}, right);
    if (x + 1 == grid_.columns || !is_member_[patch + 1]) add_edge({x + 1, y}, down);
    if (y + 1 == grid_.rows || !is_member_[patch + grid_.columns]) add_edge({x + 1, y + 1}, left);
    if (x == 0 || !is_member_[patch - 1]) add_edge({x, y + 1}, up);
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

  PatchGrid grid_;
  std::vector<bool> is_member_;
  std::vector<std::uint8_t>
      leaving_;  // per corner, one bit per direction of an edge not yet walked
};

}  // namespace

std::vector<Ring> outline(std::span<const Label> patches, const PatchGrid& grid) {
  return Tracer(patches, grid).rings();
}

}  // namespace caos::vision
