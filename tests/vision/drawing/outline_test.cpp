#include "caos/vision/drawing/outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;
using testing::ElementsAre;

constexpr PatchGrid three_by_three{.columns = 3, .rows = 3};

std::vector<Ring> rings_of(const std::vector<Label>& patches) {
  return outline(patches, three_by_three);
}

TEST(Outline, GoesClockwiseAroundAPatch) {
  EXPECT_THAT(rings_of({4}), ElementsAre(Ring{{1, 1}, {2, 1}, {2, 2}, {1, 2}}));
}

TEST(Outline, HasCornersOnly) {
  EXPECT_THAT(rings_of({0, 1, 2, 3}),
              ElementsAre(Ring{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}}));
}

TEST(Outline, GoesAroundHolesTheOtherWay) {
  EXPECT_THAT(rings_of({0, 1, 2, 3, 5, 6, 7, 8}),
              ElementsAre(Ring{{0, 0}, {3, 0}, {3, 3}, {0, 3}},
                          testing::UnorderedElementsAre(GridCorner{1, 1}, GridCorner{1, 2},
                                                        GridCorner{2, 2}, GridCorner{2, 1})));
}

TEST(Outline, KeepsPatchesApartThatTouchAtACorner) {
  EXPECT_THAT(rings_of({0, 4}), ElementsAre(Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                                            Ring{{1, 1}, {2, 1}, {2, 2}, {1, 2}}));
}

TEST(Outline, DoesNotDependOnTheOrderOfThePatchesOrHowOftenTheyAreNamed) {
  const PatchGrid grid{.patch_size = 16, .columns = 4, .rows = 4};
  const std::vector<Label> sorted = {0, 1, 2, 4, 6, 8, 9, 10, 15};
  const std::vector<Label> mixed = {15, 9, 0, 2, 2, 4, 10, 6, 8, 1, 15};
  EXPECT_EQ(outline(mixed, grid), outline(sorted, grid));
  EXPECT_EQ(outline(sorted, grid).size(), 3U);
}

TEST(Outline, OfNothingIsNothing) { EXPECT_TRUE(rings_of({}).empty()); }

TEST(Outline, RefusesPatchesOutside) {
  expect_error([] { (void)rings_of({9}); }, ErrorKind::invalid_input, {"patches of its grid"});
}

/// Twice the area, positive clockwise (y points down).
std::ptrdiff_t doubled_area(const Ring& ring) {
  std::ptrdiff_t sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const GridCorner& a = ring[i];
    const GridCorner& b = ring[(i + 1) % ring.size()];
    sum += static_cast<std::ptrdiff_t>(a.x * b.y) - static_cast<std::ptrdiff_t>(b.x * a.y);
  }
  return sum;
}

/// Whether a ray to the left of the patch's middle crosses an odd number of upright edges.
bool is_enclosed(const std::vector<Ring>& rings, std::size_t column, std::size_t row) {
  bool inside = false;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const GridCorner& a = ring[i];
      const GridCorner& b = ring[(i + 1) % ring.size()];
      const bool crosses =
          a.x == b.x && a.x <= column && std::min(a.y, b.y) <= row && std::max(a.y, b.y) > row;
      if (crosses) inside = !inside;
    }
  }
  return inside;
}

RC_GTEST_PROP(Outline, EnclosesExactlyTheSet, ()) {
  const PatchGrid grid{.columns = *rc::gen::inRange<std::size_t>(1, 8),
                       .rows = *rc::gen::inRange<std::size_t>(1, 8)};
  const auto member =
      *rc::gen::container<std::vector<bool>>(grid.size(), rc::gen::arbitrary<bool>());
  std::vector<Label> patches;
  for (Label p = 0; p < grid.size(); ++p) {
    if (member[p]) patches.push_back(p);
  }
  const std::vector<Ring> rings = outline(patches, grid);
  for (Label p = 0; p < grid.size(); ++p) {
    RC_ASSERT(is_enclosed(rings, p % grid.columns, p / grid.columns) == member[p]);
  }
  std::ptrdiff_t area = 0;
  for (const Ring& ring : rings) {
    RC_ASSERT(ring.size() >= 4U && ring.size() % 2 == 0U);
    area += doubled_area(ring);
  }
  RC_ASSERT(area == static_cast<std::ptrdiff_t>(2 * patches.size()));
}

}  // namespace
}  // namespace caos::vision
