#include "caos/vision/drawing/marking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

/// `side` x `side` places, `distance` apart.
std::vector<Point> lattice(std::size_t side, double distance) {
  std::vector<Point> places;
  for (std::size_t i = 0; i < side * side; ++i) {
    places.push_back(
        {static_cast<double>(i % side) * distance, static_cast<double>(i / side) * distance});
  }
  return places;
}

TEST(TypicalDistance, IsTheMedianOfThoseToTheNearest) {
  EXPECT_EQ(typical_distance(lattice(5, 7)), 7);
  EXPECT_TRUE(std::isinf(typical_distance(lattice(1, 7))));
  EXPECT_TRUE(std::isinf(typical_distance({})));
  const std::vector<Point> places = {{0, 0}, {3, 4}, {100, 0}};
  EXPECT_EQ(typical_distance(places), 5);
}

TEST(Marking, IsThatOfFewLandmarksWhereThereIsRoom) {
  for (const auto& places : {lattice(0, 1), lattice(1, 1), lattice(3, 24), lattice(3, 1000)}) {
    const Marking marking = marking_of(places, 1, Labels::automatic);
    EXPECT_EQ(marking.dot, 3);
    EXPECT_EQ(marking.line, 2);
    EXPECT_EQ(marking.name, 12.5);
    EXPECT_TRUE(marking.roomy);
    EXPECT_TRUE(marking.names);
  }
}

TEST(Marking, IsThinWhereLandmarksAreClose) {
  const Marking marking = marking_of(lattice(20, 6), 1, Labels::automatic);
  EXPECT_LT(marking.dot, 1.6);
  EXPECT_LT(marking.line, 1);
  EXPECT_FALSE(marking.roomy);
  EXPECT_FALSE(marking.names);
  EXPECT_TRUE(marking_of(lattice(20, 6), 1, Labels::on).names);
  EXPECT_FALSE(marking_of(lattice(2, 60), 1, Labels::off).names);
}

TEST(Marking, GrowsWithThePicture) {
  const Marking one = marking_of(lattice(9, 8), 1, Labels::off);
  const Marking two = marking_of(lattice(9, 16), 2, Labels::off);
  EXPECT_EQ(two.dot, 2 * one.dot);
  EXPECT_EQ(two.line, 2 * one.line);
  EXPECT_EQ(two.name, 2 * one.name);
}

TEST(Picture, IsSmallOrEnlarged) {
  Image image{.width = 178, .height = 218};
  image.rgb.resize(178 * 218 * 3);
  EXPECT_EQ(Picture::enlarged(image).image.height, 654U);
  EXPECT_EQ(Picture::enlarged(image).place({10, 20}).y, 60);
  EXPECT_EQ(Picture::small(image, 109).image.width, 89U);
  EXPECT_EQ(Picture::small(image, 109).place({10, 20}).y, 10);
  EXPECT_EQ(Picture::small(image, 300).image.width, 178U);
  expect_error([] { (void)Picture::enlarged({}); }, ErrorKind::invalid_input, {"pixels"});
  expect_error([] { (void)Picture::small({}, 300); }, ErrorKind::invalid_input, {"pixels"});
}

struct Box {
  double left, top, right, bottom;
};

std::vector<Box> boxes_of(const std::vector<NameTag>& tags, const Marking& marking, double width,
                          double height) {
  const Lettering lettering;
  const std::vector<Point> starts = place_names(tags, lettering, marking, width, height);
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const double right = starts[i].x + lettering.shape_of(tags[i].text).width * marking.name;
    boxes.push_back({starts[i].x, starts[i].y - Lettering::ascent * marking.name, right,
                     starts[i].y + Lettering::descent * marking.name});
  }
  return boxes;
}

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

TEST(PlaceNames, WritesToTheUpperRightWhereThatIsFree) {
  const std::vector<NameTag> tags = {{{100, 100}, "nose"}};
  const Box box = boxes_of(tags, Marking{}, 400, 400)[0];
  EXPECT_GT(box.left, 100);
  EXPECT_LT(box.bottom, 101);
}

TEST(PlaceNames, KeepsNeighborsApart) {
  const std::vector<NameTag> tags = {{{100, 100}, "left"}, {{104, 100}, "right"}};
  const auto boxes = boxes_of(tags, Marking{}, 400, 400);
  EXPECT_FALSE(overlap(boxes[0], boxes[1]));
}

RC_GTEST_PROP(PlaceNames, StayWithinThePicture, ()) {
  std::vector<NameTag> tags;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    tags.push_back({{*rc::gen::inRange(-20, 320) * 1.0, *rc::gen::inRange(-20, 220) * 1.0},
                    *rc::gen::element<std::string>("1", "12", "left_eye")});
  }
  for (const Box& box : boxes_of(tags, Marking{}, 300, 200)) {
    RC_ASSERT(box.left >= 0 && box.right <= 300);
    RC_ASSERT(box.top >= 0 && box.bottom <= 200 + 1e-9);
  }
}

}  // namespace
}  // namespace caos::vision
