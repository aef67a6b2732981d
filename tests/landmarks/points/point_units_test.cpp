#include "caos/landmarks/points/point_units.hpp"

#include <gtest/gtest.h>

#include "caos/error.hpp"
#include "tests/landmarks/points/annotated_example.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::AnnotatedImages;
using caos::ErrorKind;
using caos::ImageUnits;
using caos::missing_label;
using caos::parse_point_tolerance;
using caos::parse_reference_distance;
using caos::PointUnits;
using caos::ReferenceDistance;
using caos::test::expect_error;
using Ends = std::pair<std::size_t, std::size_t>;
using Names = std::vector<std::string>;

const Names names = {"left", "right", "a-b", "x,y", "y"};

TEST(ReferenceDistances, NameTwoLandmarks) {
  const ReferenceDistance distance = parse_reference_distance("right,left", names, "--option");
  EXPECT_EQ(distance.ends, Ends(1, 0));
  EXPECT_EQ(distance.text(), "right-left");
  EXPECT_EQ(parse_reference_distance("left,x,y", names, "").ends, Ends(0, 3));
}

TEST(ReferenceDistances, AreRefusedIfTheyDoNot) {
  for (const char* text : {"left", "left,left", "left,middle", "", ",", "left-right"}) {
    expect_error(
        [&] { (void)parse_reference_distance(text, names, "--normalize-by"); },
        caos::ErrorKind::invalid_input,
        {std::string("--normalize-by: '") + text + "' does not name two different landmarks"});
  }
  const Names ambiguous = {"x", "x,y", "y,z", "z"};
  expect_error([&] { (void)parse_reference_distance("x,y,z", ambiguous, ""); },
               caos::ErrorKind::invalid_input, {"can be read in more than one way"});
}

TEST(PointTolerances, HaveUnits) {
  EXPECT_EQ(parse_point_tolerance("5", names, {}).tolerance.text(), "5px");
  EXPECT_EQ(parse_point_tolerance("2.5px", names, {}).tolerance.text(), "2.5px");
  EXPECT_EQ(parse_point_tolerance("2mm", names, {}).tolerance.text(), "2mm");
  EXPECT_EQ(parse_point_tolerance("4%:left-right", names, {}).ends, Ends(0, 1));
  const ReferenceDistance reference{.from = "a-b", .to = "left", .ends = {2, 0}};
  EXPECT_EQ(parse_point_tolerance("4%", names, reference).ends, Ends(2, 0));
  EXPECT_EQ(parse_point_tolerance("4%", names, reference).tolerance.words(),
            "4 % of the distance a-b-left");
}

TEST(PointTolerances, AreRefusedWithoutAMeaning) {
  for (const char* text : {"0", "-1", "five", "", "5 px", "nan", "1e999", "%", "5cm", "1.2.3"}) {
    expect_error([&] { (void)parse_point_tolerance(text, names, {}); },
                 caos::ErrorKind::invalid_input, {"tolerance '"});
  }
  expect_error([] { (void)parse_point_tolerance("4%", names, {}); }, caos::ErrorKind::invalid_input,
               {"tolerance '4%': percent of what? Name two landmarks, as in 4%:A-B"});
  expect_error([] { (void)parse_point_tolerance("4%:left-up", names, {}); },
               caos::ErrorKind::invalid_input, {"does not name two different landmarks"});
}

/// Three landmarks; the distance between the first two is 5.
AnnotatedImages two_images() {
  AnnotatedImages images = points::Example(1, {.images = 2}).images();
  for (std::size_t i = 0; i < 2; ++i) {
    images.points(i, 0) = {.x = 10, .y = 10};
    images.points(i, 1) = {.x = 13, .y = 14};
  }
  return images;
}

PointUnits units_for(const AnnotatedImages& images) {
  const ReferenceDistance reference{.from = "landmark 0", .to = "landmark 1", .ends = {0, 1}};
  PointUnits units{.reference = reference};
  for (const char* text : {"2", "3mm", "10%"}) {
    units.tolerances.push_back(parse_point_tolerance(text, images.patches.tasks, reference));
  }
  units.millimeters = {0.5, std::nullopt};
  return units;
}

TEST(ImageUnits, AreThoseOfTheImage) {
  const AnnotatedImages images = two_images();
  const std::vector<ImageUnits> units = image_units(images, units_for(images));
  ASSERT_EQ(units.size(), 2);
  EXPECT_EQ(units[0].millimeters, 0.5);
  EXPECT_EQ(units[0].reference, 5.0);
  EXPECT_EQ(units[0].radii, (std::vector<std::optional<double>>{2.0, 6.0, 0.5}));
}

TEST(ImageUnits, AreAbsentWhereTheImageLacksWhatTheyNeed) {
  AnnotatedImages images = two_images();
  images.patches.labels(1, 0) = missing_label;
  const std::vector<ImageUnits> units = image_units(images, units_for(images));
  EXPECT_EQ(units[1].millimeters, std::nullopt);
  EXPECT_EQ(units[1].reference, std::nullopt);
  EXPECT_EQ(units[1].radii, (std::vector<std::optional<double>>{2.0, std::nullopt, std::nullopt}));
}

TEST(ImageUnits, CannotBeInPercentOfNothing) {
  AnnotatedImages images = two_images();
  images.points(0, 1) = images.points(0, 0);
  const std::vector<ImageUnits> units = image_units(images, units_for(images));
  EXPECT_EQ(units[0].reference, std::nullopt);
  EXPECT_EQ(units[0].radii[2], std::nullopt);
}

TEST(ImageUnits, NeedSomeScaleForMillimeters) {
  const AnnotatedImages images = two_images();
  PointUnits units = units_for(images);
  for (const auto& none : {std::vector<std::optional<double>>(), {std::nullopt, std::nullopt}}) {
    units.millimeters = none;
    expect_error([&] { (void)image_units(images, units); }, caos::ErrorKind::invalid_input,
                 {"tolerance 3mm: no image has a scale; give millimeters per pixel"});
  }
}

}  // namespace
