#include "caos/landmarks/formats/check_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::landmarks {
namespace {

using test::expect_error;

std::optional<ImageSize> sizes(const std::string& image) {
  return image == "unknown" ? std::nullopt : std::optional(ImageSize{10, 20});
}

LandmarkTable table_with(double x, double y, const std::string& image = "a") {
  return {{{.image = image, .landmarks = {{"n", x, y}}}}};
}

void expect_outside(LandmarkTable table) {
  expect_error([&] { (void)check_inside(table, sizes, "t.csv", Outside::refuse); },
               ErrorKind::bad_format,
               {"t.csv: landmark 'n' of image 'a' lies at (", "10 x 20 pixels"});
  EXPECT_EQ(check_inside(table, sizes, "t.csv", Outside::to_missing), 1U);
  EXPECT_EQ(table.annotations[0].landmarks[0], (Landmark{"n", 0, 0, Visibility::missing}));
}

TEST(CheckInside, RefusesOrRemovesWhatLiesOutside) {
  expect_outside(table_with(-0.501, 5));
  expect_outside(table_with(10.501, 5));
  expect_outside(table_with(5, 20.6));
  expect_outside(table_with(5, -1));
  expect_outside(table_with(-0.1, 21));
}

TEST(CheckInside, MovesWhatIsOnTheEdgeOrHalfAPixelOutside) {
  const auto moved = [](double x, double y) {
    LandmarkTable table = table_with(x, y);
    EXPECT_EQ(check_inside(table, sizes, "t.csv", Outside::refuse), 0U);
    return table.annotations[0].landmarks[0];
  };
  EXPECT_EQ(moved(-0.5, 5).x, 0);
  EXPECT_EQ(moved(5, -0.25).y, 0);
  for (const double x : {10.0, 10.5}) {
    EXPECT_LT(moved(x, 5).x, 10);
    EXPECT_GT(moved(x, 5).x, 9.999999);
  }
  EXPECT_LT(moved(5, 20).y, 20);
}

void expect_kept(LandmarkTable table) {
  const LandmarkTable before = table;
  EXPECT_EQ(check_inside(table, sizes, "t.csv", Outside::refuse), 0U);
  EXPECT_EQ(table, before);
}

TEST(CheckInside, KeepsWhatLiesInsideOrCannotBeChecked) {
  expect_kept(table_with(0, 0));
  expect_kept(table_with(9.999, 19.999));
  expect_kept(table_with(99, 99, "unknown"));
  LandmarkTable missing = table_with(-7, -7);
  missing.annotations[0].landmarks[0].visibility = Visibility::missing;
  expect_kept(missing);
}

TEST(CheckInside, UsesTheSizesOfTheTableWhereNoOthersAreKnown) {
  LandmarkTable table = table_with(5, 5);
  table.annotations[0].width = 4;
  table.annotations[0].height = 9;
  expect_error([&] { (void)check_inside(table, {}, "t.csv", Outside::refuse); },
               ErrorKind::bad_format, {"4 x 9"});
}

TEST(CheckInside, RefusesATableAboutImagesOfAnotherSize) {
  LandmarkTable table = table_with(5, 5);
  table.annotations[0].width = 1000;
  expect_error([&] { (void)check_inside(table, sizes, "t.csv", Outside::to_missing); },
               ErrorKind::bad_format, {"says that image 'a' has 1000 x 20 pixels; it has 10 x 20"});
}

}  // namespace
}  // namespace caos::landmarks
