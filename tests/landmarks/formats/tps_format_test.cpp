#include "caos/landmarks/formats/tps_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using test::expect_refused;
using test::sample;
using testing::ElementsAre;

constexpr Visibility visible = Visibility::visible;
constexpr Visibility missing = Visibility::missing;

std::optional<ImageSize> any_size(const std::string&) { return ImageSize{640, 480}; }

const TpsOptions from_top{.y = TpsY::top};
const TpsOptions from_bottom{.y = TpsY::bottom, .curves = TpsCurves::skip};

LandmarkTable parse(const std::string& text) { return parse_tps(text, "t.tps", from_top); }

TEST(Tps, OfTpsDigCountsFromTheBottomEdge) {
  const LandmarkTable table = parse_tps(sample("tpsdig.tps"), "t.tps", from_bottom, any_size);
  const Annotation first{.image = "wing_001.jpg",
                         .landmarks = {{"1", 152, 480 - 305, visible},
                                       {"2", 201, 480 - 280.5, visible},
                                       {"3", 0, 0, missing},
                                       {"4", 98, 480 - 112, visible}},
                         .scale = 0.0125};
  const Annotation second{
      .image = "wing_002.jpg",
      .landmarks = {{"1", 148, 179}, {"2", 199, 203}, {"3", 240, 290}, {"4", 101, 371}},
      .scale = 0.0125};
  EXPECT_THAT(table.annotations, ElementsAre(first, second));
}

TEST(Tps, MayCountFromTheTopEdge) {
  EXPECT_EQ(parse("LM=1\n152 305\nIMAGE=a.jpg\n").annotations[0].landmarks[0],
            (Landmark{"1", 152, 305}));
}

TEST(Tps, CountsFromTheBottomUnlessToldOtherwise) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  const std::string text = "LM=1\n152 305\nIMAGE=a.jpg\n";
  const LandmarkTable table = parse_tps(text, "t.tps", {}, any_size, {}, note);
  EXPECT_EQ(table.annotations[0].landmarks[0], (Landmark{"1", 152, 480 - 305}));
  EXPECT_THAT(notes, ElementsAre("t.tps: y is taken to count from the bottom, as tpsDig writes it; "
                                 "otherwise give --tps-y top"));
  EXPECT_EQ(write_tps(table, {}, any_size), text + "ID=0\n");
  notes.clear();
  (void)parse_tps(text, "t.tps", {.y = TpsY::bottom}, any_size, {}, note);
  (void)parse_tps(text, "t.tps", from_top, {}, {}, note);
  EXPECT_TRUE(notes.empty());
}

TEST(Tps, FromTheBottomNeedsHeights) {
  const TpsOptions no_sizes{.y = TpsY::bottom};
  const std::string text = "LM=1\n1 2\nIMAGE=a.jpg\n";
  expect_error([&] { (void)parse_tps(text, "t.tps", no_sizes); }, ErrorKind::invalid_input,
               {"'a.jpg'", "give the size of the images", "--tps-y top"});
  EXPECT_NO_THROW((void)parse_tps("LM=0\nIMAGE=a.jpg\n", "t.tps", no_sizes));
  const LandmarkTable sized{{{.image = "a", .landmarks = {{"1", 1, 2}}, .height = 10}}};
  EXPECT_EQ(write_tps(sized, no_sizes), "LM=1\n1 8\nIMAGE=a\nID=0\n");
}

TEST(Tps, LeavesCurvesOutUnlessToldOtherwise) {
  std::vector<std::string> notes;
  const LandmarkTable without = parse_tps(sample("tpsdig.tps"), "t.tps", from_top, {}, {},
                                          [&](const std::string& text) { notes.push_back(text); });
  EXPECT_EQ(without.annotations[1].landmarks.size(), 4U);
  EXPECT_THAT(notes, ElementsAre("t.tps: 3 points of curves and outlines are not read "
                                 "(--tps-curves landmarks reads them)"));
  const TpsOptions refuse{.y = TpsY::top, .curves = TpsCurves::refuse};
  expect_error([&] { (void)parse_tps(sample("tpsdig.tps"), "t.tps", refuse); },
               ErrorKind::bad_format, {"t.tps:14: has CURVES=", "skip"});
  const TpsOptions landmarks{.y = TpsY::top, .curves = TpsCurves::landmarks};
  const LandmarkTable table = parse_tps(sample("tpsdig.tps"), "t.tps", landmarks);
  ASSERT_EQ(table.annotations[1].landmarks.size(), 7U);
  EXPECT_EQ(table.annotations[1].landmarks[6], (Landmark{"curve1.3", 12.5, 22}));
}

TEST(Tps, HasMissingLandmarksInSeveralWays) {
  for (const char* point : {"-1 -1", "-1.00000 -1.00000", "NA NA", "NaN nan", "0 0", "0. 0."}) {
    const LandmarkTable table = parse("LM=2\n" + std::string(point) + "\n-1 4\nIMAGE=a\n");
    EXPECT_THAT(table.annotations[0].landmarks,
                ElementsAre(Landmark{"1", 0, 0, missing}, Landmark{"2", -1, 4, visible}))
        << point;
  }
}

TEST(Tps, SaysThatZerosAreMissing) {
  std::vector<std::string> notes;
  (void)parse_tps("LM=2\n0 0\n1 2\nIMAGE=a\nLM=2\n0 0\n-1 -1\nIMAGE=b\n", "t.tps", from_top, {}, {},
                  [&](const std::string& text) { notes.push_back(text); });
  EXPECT_THAT(notes, ElementsAre("t.tps: 2 landmarks at (0, 0) are read as missing"));
}

TEST(Tps, TakesDecimalCommasAndOtherSeparators) {
  for (const char* point : {"12.5 7.25", "12,5 7,25", "12.5,7.25", "12.5, 7.25", "12,5;7,25",
                            "12.5\t7.25", "  12.5   7.25  ", "1.25e1 7.25"}) {
    const LandmarkTable table = parse("LM=1\n" + std::string(point) + "\nIMAGE=a\n");
    EXPECT_THAT(table.annotations[0].landmarks, ElementsAre(Landmark{"1", 12.5, 7.25})) << point;
  }
}

/// Byte order mark, Windows' line ends, blank lines, spaces, small letters, keys of other tools, no
/// line end at the end.
TEST(Tps, TakesWhatToolsOfAllSystemsWrite) {
  const LandmarkTable table = parse(
      "\xef\xbb\xbf\r\n\r\nlm=1\r\n\r\n  1.0 2.0\r\n\r\nimage=C:\\wings 1\\a.JPG \r\nID= 7\r\n"
      "Comment=left, male\r\nVARIABLES=2\r\nSCALE=0,05\r\n\r\nLM=-1\r\nIMAGE=b.jpg\r\nSCALE=-1");
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "C:\\wings 1\\a.JPG");
  EXPECT_EQ(table.annotations[0].scale, 0.05);
  EXPECT_EQ(table.annotations[1], (Annotation{.image = "b.jpg"}));
}

TEST(Tps, MayHaveSeveralSpecimensOfAnImage) {
  const std::string text = "LM=1\n1 2\nIMAGE=a\nID=m1\nLM=1\n3 4\nIMAGE=a\nID=m2\n";
  expect_error([&] { (void)parse(text); }, ErrorKind::bad_format,
               {"t.tps:5: a second specimen in image 'a', which has 2 instances (m1, m2)",
                "--instances largest, first, each"});
  const auto chosen = [&](const std::string& which) {
    return parse_tps(text, "t.tps", from_top, {}, parse_instances(which)).annotations;
  };
  EXPECT_EQ(chosen("first")[0].landmarks[0].x, 1);
  EXPECT_EQ(chosen("m2")[0].landmarks[0].x, 3);
  ASSERT_EQ(chosen("each").size(), 2U);
  EXPECT_EQ(chosen("each")[1].image, "a#m2");
  EXPECT_EQ(chosen("each")[1].subject, "a");
}

TEST(Tps, CallsAnImageByItsIdWhereItHasNoName) {
  EXPECT_EQ(parse("lm = 0\nid = wing 7\n").annotations[0].image, "wing 7");
}

TEST(Tps, ListsAllLandmarksInEveryImage) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"n", 1, 2}}},
                             {.image = "b", .landmarks = {{"m", 3, 4}}, .scale = 0.5}}};
  EXPECT_EQ(write_tps(table, from_top),
            "LM=2\n1 2\n-1 -1\nIMAGE=a\nID=0\nLM=2\n-1 -1\n3 4\nIMAGE=b\nID=1\nSCALE=0.5\n");
}

TEST(Tps, CannotHoldEveryNameAndPosition) {
  expect_error([] { (void)write_tps({{{.image = "a\nb"}}}, from_top); }, ErrorKind::invalid_input,
               {"line breaks"});
  const LandmarkTable outside{{{.image = "a", .landmarks = {{"n", -1, -1}}}}};
  expect_error([&] { (void)write_tps(outside, from_top); }, ErrorKind::invalid_input,
               {"means missing"});
}

TEST(Tps, ThatIsMalformedIsRefusedWithItsLine) {
  expect_refused(
      parse, {{"", "t.tps: has no specimen"},
              {"IMAGE=a\n", "t.tps:1: IMAGE= stands before the first LM="},
              {"hello\n", "t.tps:1: 'hello' is neither KEY=value"},
              {"LM=2\n1 2\n", "t.tps:1: 2 points are announced, 1 follow"},
              {"LM=99999999999999999\n1 2\n", "points are announced, 1 follow"},
              {"LM=99999999999999999999\n1 2\n", "t.tps:1: '99999999999999999999' is not a number"},
              {"LM=-2\n", "t.tps:1: '-2' is not a number of points"},
              {"LM=1\n1 2\n3 4\nIMAGE=a\n", "t.tps:3: '3 4' is neither KEY=value"},
              {"LM=2\n1 2\nIMAGE=a\n", "t.tps:3: expected x and y of point 2, found 'IMAGE=a'"},
              {"LM=1\n1 2 3\n", "t.tps:2: expected x and y of point 1"},
              {"LM=1\n1 nan\n", "t.tps:2: 'nan' is not a position"},
              {"LM=1\n1,5,2\n", "t.tps:2: expected x and y of point 1"},
              {"LM=1\nNA 2\n", "t.tps:2: 'NA' is not a position"},
              {"LM3=1\n1 2 3\n", "t.tps:1: landmarks in three dimensions"},
              {"LM=0\nSCALE=x\n", "t.tps:2: SCALE=x is not a number"},
              {"\nLM=0\nSCALE=1\n", "t.tps:2: the specimen has neither IMAGE= nor ID="}});
}

}  // namespace
}  // namespace caos::landmarks
