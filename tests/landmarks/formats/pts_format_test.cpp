#include "caos/landmarks/formats/pts_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_pts(text, "t.pts", "a.png"); }

TEST(Pts, OfIbugCountsFromOneAtTheCenterOfAPixel) {
  const LandmarkTable table = parse(sample("indoor_001.pts"));
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "a.png");
  EXPECT_THAT(table.annotations[0].landmarks,
              ElementsAre(Landmark{"1", 445.5, 90.5}, Landmark{"2", 449.459 - 0.5, 119.344 - 0.5},
                          Landmark{"3", 450.957 - 0.5, 150.614 - 0.5},
                          Landmark{"4", 460.552 - 0.5, 176.986 - 0.5},
                          Landmark{"5", 471.486 - 0.5, 202.157 - 0.5}));
}

TEST(Pts, CallsTheCenterOfTheFirstPixelOne) {
  const LandmarkTable table{{{.image = "a.png", .landmarks = {{"n", 0.5, 0.5}}}}};
  EXPECT_EQ(write_pts(table), "version: 1\nn_points: 1\n{\n1 1\n}\n");
}

TEST(Pts, WritesMissingLandmarksAsMinusOne) {
  const LandmarkTable table{{{.image = "a.png", .landmarks = {{"1", 0, 0, Visibility::missing}}}}};
  EXPECT_EQ(write_pts(table), "version: 1\nn_points: 1\n{\n-1 -1\n}\n");
  EXPECT_EQ(parse(write_pts(table)), table);
}

TEST(Pts, HoldsOneImage) {
  caos::test::expect_error(
      [] {
        (void)write_pts({{{.image = "a"}, {.image = "b"}}});
      },
      ErrorKind::invalid_input, {"one image"});
}

TEST(Pts, ThatIsMalformedIsRefusedWithItsLine) {
  const std::string front = "version: 1\nn_points: 1\n{\n";
  expect_refused(parse,
                 {{"", "t.pts:1: the file ends where version is expected"},
                  {"n_points: 1\n", "t.pts:1: expected 'version: ...'"},
                  {"version: 1\n{\n", "t.pts:2: expected 'n_points: ...', found '{'"},
                  {"version: 1\nn_points: x\n", "t.pts:2: 'x' is not a number of points"},
                  {"version: 1\nn_points: 1\n1 2\n}\n", "t.pts:3: expected '{', found '1 2'"},
                  {front + "1 2\n", "t.pts:4: the file ends where '}' is expected"},
                  {front + "}\n", "t.pts:4: n_points is 1, and the file has 0 points"},
                  {front + "1 2\n3 4\n}\n", "t.pts:6: n_points is 1, and the file has 2 points"},
                  {front + "1\n}\n", "t.pts:4: expected x and y of point 1, found '1'"},
                  {front + "1 nan\n}\n", "t.pts:4: 'nan' is not a position"},
                  {front + "1 2\n}\nmore\n", "t.pts:6: text follows"}});
}

}  // namespace
}  // namespace caos::landmarks
