#include "caos/landmarks/formats/tem_format.hpp"

#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

LandmarkTable parse(const std::string& text) { return parse_tem(text, "t.tem", "a.jpg"); }

TEST(Tem, HasPointsFromTheCornerAndLinesThatAreNotRead) {
  const LandmarkTable table = parse("3\r\n10.5\t20\r\n1 2\n-1 -1\n1\n0\n2\n0 1\n");
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "a.jpg");
  ASSERT_EQ(table.annotations[0].landmarks.size(), 3U);
  EXPECT_EQ(table.annotations[0].landmarks[0], (Landmark{"1", 10.5, 20}));
  EXPECT_EQ(table.annotations[0].landmarks[2].visibility, Visibility::missing);
}

TEST(Tem, IsWrittenWithoutLines) {
  EXPECT_EQ(write_tem({{{.image = "a", .landmarks = {{"1", 1.5, 2}}}}}), "1\n1.5\t2\n0\n");
  caos::test::expect_error([] { (void)write_tem({}); }, ErrorKind::invalid_input, {"one image"});
}

TEST(Tem, ThatIsMalformedIsRefusedWithTheLine) {
  test::expect_refused(parse, {{"", "t.tem:1: expected the number of points"},
                               {"x\n", "t.tem:1: expected the number of points"},
                               {"2\n1 2\n", "t.tem:2: 2 points are announced, 1 follow"},
                               {"99999999999999999\n1 2\n", "are announced, 1 follow"},
                               {"1\n1\n", "t.tem:2: expected x and y of point 1"},
                               {"1\n1 nan\n", "t.tem:2: 'nan' is not a position"}});
}

}  // namespace
}  // namespace caos::landmarks
