#include "caos/landmarks/formats/json/regions_format.hpp"

#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

LandmarkTable parse(const std::string& text) { return parse_regions(text, "r.json"); }

std::string file(const std::string& landmarks) {
  return R"({"guarantee": "", "images": [{"image": "a.png", "width": 4, "height": 3,
             "mm_per_pixel": 0.5, "landmarks": [)" +
         landmarks + "]}]}";
}

TEST(Regions, GiveProposalsWithTheirConformity) {
  const LandmarkTable table = parse(
      file(R"({"landmark": "n", "patches": [1], "proposal": {"x": 1, "y": 2, "p_value": 0.25}})"));
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].height, 3U);
  EXPECT_EQ(table.annotations[0].scale, 0.5);
  Landmark expected{"n", 1, 2};
  expected.proposed = true;
  expected.conformity = 0.25;
  EXPECT_EQ(table.annotations[0].landmarks, std::vector<Landmark>{expected});
}

TEST(Regions, ThatAreMalformedAreRefusedWithThePlace) {
  const std::string one = R"({"landmark": "n", "proposal": {"x": 1, "y": 2}})";
  test::expect_refused(
      parse, {{"{}", "r.json: has no 'images'"},
              {file(one + "," + one), "images[0].landmarks[1]: landmark 'n' is given twice"},
              {file(R"({"landmark": "n"})"), "images[0].landmarks[0]: has no 'proposal'"},
              {file(R"({"landmark": "", "proposal": {}})"), "landmark: is empty"},
              {file(R"({"landmark": "n", "proposal": {"x": 1, "y": 2, "p_value": 7}})"),
               "p_value: not a number from 0 to 1"}});
}

}  // namespace
}  // namespace caos::landmarks
