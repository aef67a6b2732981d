#include "caos/landmarks/formats/json/slicer_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_slicer(text, "t.mrk.json", "a.png"); }

TEST(Slicer, HasItsOriginAtTheCenterOfTheFirstPixel) {
  const LandmarkTable table = parse(sample("slicer/skull_1.mrk.json"));
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "a.png");
  EXPECT_FALSE(table.annotations[0].scale);
  EXPECT_THAT(table.annotations[0].landmarks,
              ElementsAre(Landmark{"nasion", 54, 73.75, Visibility::visible},
                          Landmark{"sella", 20.5, 10.5, Visibility::hidden},
                          Landmark{"gnathion", 0, 0, Visibility::missing}));
}

TEST(Slicer, MayCountToTheRightOfThePatient) {
  EXPECT_THAT(parse(sample("slicer/skull_2.mrk.json")).annotations[0].landmarks,
              ElementsAre(Landmark{"nasion", 50.5, 71}, Landmark{"sella", 21.5, 11.5}));
}

TEST(Slicer, CountsInMillimeters) {
  const LandmarkTable table =
      parse_slicer(sample("slicer/skull_1.mrk.json"), "t.mrk.json", "a.png", 0.5);
  EXPECT_EQ(table.annotations[0].scale, 0.5);
  EXPECT_EQ(table.annotations[0].landmarks[0], (Landmark{"nasion", 107.5, 147}));
}

TEST(Slicer, IsWrittenInMillimetersWhereTheScaleIsKnown) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"n", 10.5, 20.5}}, .scale = 0.5}}};
  const auto lps = nlohmann::json::parse(write_slicer(table))["markups"][0];
  EXPECT_EQ(lps["coordinateSystem"], "LPS");
  EXPECT_EQ(lps["controlPoints"][0]["position"], nlohmann::json({5.0, 10.0, 0.0}));
  const auto ras = nlohmann::json::parse(write_slicer(table, PatientAxes::ras))["markups"][0];
  EXPECT_EQ(ras["coordinateSystem"], "RAS");
  EXPECT_EQ(ras["controlPoints"][0]["position"], nlohmann::json({-5.0, -10.0, 0.0}));
}

TEST(Slicer, NeedsAPositiveScale) {
  caos::test::expect_error([] { (void)parse_slicer("{}", "t", "a", 0.0); },
                           ErrorKind::invalid_input, {"positive"});
}

std::string file(const std::string& points, const std::string& more = "",
                 const std::string& type = "Fiducial") {
  return R"({"markups": [{"type": ")" + type + R"(", "controlPoints": [)" + points + "]" + more +
         "}]}";
}

std::string point(const std::string& label, const std::string& position) {
  return R"({"label": ")" + label + R"(", "position": )" + position + "}";
}

TEST(Slicer, MayLeaveOutWhatHasADefault) {
  EXPECT_EQ(parse(file(point("n", "[1, 2, 0]"))),
            (LandmarkTable{{{.image = "a.png", .landmarks = {{"n", 1.5, 2.5}}}}}));
  EXPECT_EQ(parse(file(R"({"label": "n", "positionStatus": "preview"})"))
                .annotations[0]
                .landmarks[0]
                .visibility,
            Visibility::missing);
}

TEST(Slicer, ThatIsMalformedIsRefusedWithThePlace) {
  expect_refused(
      parse, {{"{}", "t.mrk.json: has no 'markups'"},
              {R"({"markups": []})", "t.mrk.json: markups: must hold one list of points"},
              {R"({"markups": [{}, {}]})", "markups: must hold one list of points"},
              {file("", "", "Curve"), "markups[0].type: is 'Curve'; expected 'Fiducial'"},
              {file("", R"(, "coordinateUnits": "cm")"), "markups[0].coordinateUnits: is not 'mm'"},
              {file("", R"(, "coordinateSystem": "XYZ")"), "coordinateSystem: is neither LPS nor"},
              {file("{}"), "markups[0].controlPoints[0]: has no 'label'"},
              {file(point("", "[1, 2, 3]")), "controlPoints[0].label: is empty"},
              {file(R"({"label": "n"})"), "controlPoints[0]: has no 'position'"},
              {file(point("n", "[1, 2]")), "controlPoints[0].position: must hold x, y and z"},
              {file(point("n", "[1, 1e300, 0]")), "position[1]: not a valid position in an image"},
              {file(point("n", "[1, 2, 0]") + "," + point("m", "[1, 2, 9]")),
               "controlPoints[1].position[2]: lies in another plane"},
              {file(point("n", "[1, 2, 0]") + "," + point("n", "[1, 2, 0]")),
               "controlPoints[1].label: 'n' is also the name of another point"}});
}

}  // namespace
}  // namespace caos::landmarks
