#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "caos/backbone.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

TEST(PatchGrid, CountsPatchesThatReachBeyondTheImage) {
  const PatchGrid grid = grid_over(178, 218, 16);
  EXPECT_EQ(grid.columns, 12U);
  EXPECT_EQ(grid.rows, 14U);
  EXPECT_EQ(grid.size(), 168U);
  EXPECT_EQ(grid_over(16, 32, 16), (PatchGrid{.patch_size = 16, .columns = 1, .rows = 2}));
  EXPECT_EQ(grid_over(17, 1, 16), (PatchGrid{.patch_size = 16, .columns = 2, .rows = 1}));
}

TEST(PatchGrid, NumbersPatchesRowByRow) {
  const PatchGrid grid = grid_over(178, 218, 16);
  EXPECT_EQ(grid.patch_at({0, 0}), 0U);
  EXPECT_EQ(grid.patch_at({15.999, 15.999}), 0U);
  EXPECT_EQ(grid.patch_at({16, 0}), 1U);
  EXPECT_EQ(grid.patch_at({0, 16}), 12U);
  EXPECT_EQ(grid.patch_at({191.5, 223.5}), 167U);
  EXPECT_EQ(grid.corner(13).x, 16);
  EXPECT_EQ(grid.corner(13).y, 16);
}

RC_GTEST_PROP(PatchGrid, HoldsEachPointInThePatchWithTheCornerBeforeIt, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 400);
  const auto height = *rc::gen::inRange<std::size_t>(1, 400);
  const auto patch = *rc::gen::inRange<std::size_t>(1, 40);
  const PatchGrid grid = grid_over(width, height, patch);
  const double x = static_cast<double>(*rc::gen::inRange<std::size_t>(0, width)) + 0.75;
  const double y = static_cast<double>(*rc::gen::inRange<std::size_t>(0, height)) + 0.25;
  const Label label = grid.patch_at({x, y});
  const Point corner = grid.corner(label);
  const auto size = static_cast<double>(patch);
  RC_ASSERT(label < grid.size());
  RC_ASSERT(corner.x <= x && x < corner.x + size);
  RC_ASSERT(corner.y <= y && y < corner.y + size);
}

TEST(PatchGrid, RefusesPointsOutside) {
  const PatchGrid grid = grid_over(178, 218, 16);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Point point : {Point{-0.1, 0}, Point{0, -1}, Point{192, 0}, Point{0, 224},
                            Point{nan, 0}, Point{0, nan}, Point{1e300, 0}}) {
    expect_error([&] { (void)grid.patch_at(point); }, ErrorKind::invalid_input,
                 {"lies outside the 192 x 224 pixels of the patch grid"});
  }
}

TEST(PatchGrid, RefusesSizesOfZero) {
  expect_error([] { (void)grid_over(0, 1, 16); }, ErrorKind::invalid_input, {"positive sizes"});
  expect_error([] { (void)grid_over(1, 0, 16); }, ErrorKind::invalid_input, {"positive sizes"});
  expect_error([] { (void)grid_over(1, 1, 0); }, ErrorKind::invalid_input, {"positive sizes"});
}

}  // namespace
}  // namespace caos::vision
