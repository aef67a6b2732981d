#include "caos/landmarks/formats/tables/points_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Visibility missing = Visibility::missing;

struct Read {
  std::vector<Landmark> landmarks;
  std::vector<std::string> notes;
};

Read read(const std::string& text) {
  Read result;
  const LandmarkTable table = parse_points(
      text, "a.txt", "a.png", [&](const std::string& note) { result.notes.push_back(note); });
  EXPECT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "a.png");
  result.landmarks = table.annotations[0].landmarks;
  return result;
}

std::vector<Landmark> parse(const std::string& text) { return read(text).landmarks; }

TEST(PointList, HasAPointPerLine) {
  for (const char* text :
       {"1.5 2\n3 4\n", "1.5,2\r\n3,4", "1.5, 2\n3, 4\n", "1,5;2\n3;4\n", "1.5\t2\n\n3\t4\n",
        "\xef\xbb\xbf# points\n1,5 2\n3 4\n", "2\n1.5 2\n3 4\n"}) {
    EXPECT_THAT(parse(text), ElementsAre(Landmark{"1", 1.5, 2}, Landmark{"2", 3, 4})) << text;
  }
}

TEST(PointList, MayNameItsPoints) {
  for (const char* text : {"S 1.5 2\nN 3 4\n", "S,1.5,2\nN,3,4\n", "S;1,5;2\nN;3;4\n",
                           "landmark,x,y\nS,1.5,2\nN,3,4\n", "X;Y;Name\n1,5;2;S\n3;4;N\n"}) {
    EXPECT_THAT(parse(text), ElementsAre(Landmark{"S", 1.5, 2}, Landmark{"N", 3, 4})) << text;
  }
  EXPECT_THAT(parse("1 5 6\n2 7 8\n"), ElementsAre(Landmark{"1", 5, 6}, Landmark{"2", 7, 8}));
  EXPECT_THAT(parse("0,5,6\n1,7,8\n"), ElementsAre(Landmark{"0", 5, 6}, Landmark{"1", 7, 8}));
  EXPECT_THAT(parse("x,y\n5,6\n"), ElementsAre(Landmark{"1", 5, 6}));
}

TEST(PointList, HasMissingPoints) {
  const Read found = read("-1 -1\nNA NA\n0 0\n1 0\n");
  EXPECT_THAT(found.landmarks,
              ElementsAre(Landmark{"1", 0, 0, missing}, Landmark{"2", 0, 0, missing},
                          Landmark{"3", 0, 0, missing}, Landmark{"4", 1, 0}));
  EXPECT_THAT(found.notes, ElementsAre("a.txt: 1 landmarks at (0, 0) are read as missing"));
}

/// Cephalograms of ISBI 2015: 19 points, then classes.
TEST(PointList, MayEndInOtherNumbers) {
  const Read found = read("835,996\n1473,1029\n1\n3\n");
  EXPECT_EQ(found.landmarks.size(), 2U);
  EXPECT_THAT(found.notes, ElementsAre("a.txt: 2 lines after the points are not read"));
  EXPECT_THAT(read("835,996\n").notes, IsEmpty());
}

TEST(PointList, IsRecognized) {
  for (const char* text : {"1 2\n", "nose,1,2\n", "x,y\n", "name;x;y\n", "NA NA\n"}) {
    EXPECT_TRUE(is_point_list(text)) << text;
  }
  for (const char* text : {"", "hello\n", "id,X1,Y1\n", "1 2 3 4\n", "LM=3\n"}) {
    EXPECT_FALSE(is_point_list(text)) << text;
  }
}

TEST(PointList, HoldsAllButTheImage) {
  Landmark one{.name = "n", .x = 1, .y = 2};
  one.proposed = true;
  one.conformity = 0.25;
  const LandmarkTable table{{{.image = "a.png",
                              .landmarks = {one, {"m", 0, 0, missing}},
                              .subject = "s",
                              .scale = 0.5,
                              .width = 4,
                              .height = 5}}};
  EXPECT_EQ(parse_points(write_points(table), "a.txt", "a.png"), table);
}

TEST(PointList, ThatIsMalformedIsRefusedWithItsLine) {
  expect_refused(parse,
                 {{"", "a.txt: is empty"},
                  {"hello\n", "a.txt:1: expected x and y of a point, or the number"},
                  {"1 2\nhello world\n", "a.txt:2: expected x and y of a point ('hello world')"},
                  {"1 2\nnose 3 4\n", "a.txt:2: expected x and y of a point"},
                  {"nose 1 2\n3 4\n", "a.txt:2: expected the name, x and y"},
                  {"1 2\n3\n4 5\n", "a.txt:2: expected x and y of a point ('3')"},
                  {"3\n1 2\n", "a.txt:1: 3 points are announced, 1 follow"},
                  {"nose 1 2\nnose 3 4\n", "a.txt:2: landmark 'nose' is given twice"},
                  {"5 1 2\n7 3 4\n", "a.txt:1: has three numbers"},
                  {"1 NA\n", "a.txt:1: 'NA' is not a position"},
                  {"1 1e300\n", "a.txt:1: '1e300' is not a position"}});
}

}  // namespace
}  // namespace caos::landmarks
