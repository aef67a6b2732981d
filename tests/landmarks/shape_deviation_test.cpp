#include "caos/landmarks/shape_deviation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace caos {
namespace {

Shape square() {
  return {vision::Point{0, 0}, vision::Point{4, 0}, vision::Point{4, 4}, vision::Point{0, 4},
          vision::Point{1, 3}};
}

/// Turned, scaled and moved.
Shape transformed(const Shape& shape, double cosine, double sine, vision::Point shift) {
  Shape result;
  for (const auto& point : shape) {
    result.push_back(
        point ? std::optional(vision::Point{cosine * point->x - sine * point->y + shift.x,
                                            sine * point->x + cosine * point->y + shift.y})
              : std::nullopt);
  }
  return result;
}

TEST(ShapeDeviation, IsUnknownWithoutShapesOrWithFewerThanFourSharedLandmarks) {
  EXPECT_EQ(LabeledShapes().deviation(square()), std::nullopt);
  Shape three = square();
  three[0] = std::nullopt;
  three[3] = std::nullopt;
  EXPECT_EQ(LabeledShapes({three}).deviation(square()), std::nullopt);
  EXPECT_EQ(LabeledShapes({square()}).deviation(three), std::nullopt);
}

RC_GTEST_PROP(ShapeDeviation, IsZeroForASimilarShape, ()) {
  const auto number = [] { return *rc::gen::inRange(-20, 21) / 4.0; };
  const Shape similar =
      transformed(square(), 1 + std::abs(number()), number(), {number(), number()});
  RC_ASSERT(*LabeledShapes({square()}).deviation(similar) < 1e-9);
}

RC_GTEST_PROP(ShapeDeviation, IsTheSameForTransformedLabeledShapes, ()) {
  const auto number = [] { return *rc::gen::inRange(-20, 21) / 4.0; };
  Shape points = square();
  for (auto& point : points) *point = {point->x + number() / 8, point->y + number() / 8};
  const Shape moved = transformed(square(), 1 + std::abs(number()), number(), {number(), number()});
  RC_ASSERT(std::abs(*LabeledShapes({square()}).deviation(points) -
                     *LabeledShapes({moved}).deviation(points)) < 1e-6);
}

TEST(ShapeDeviation, OneWrongPointIsMostOfItAndLargerErrorsDeviateMore) {
  Shape wrong = square();
  wrong[2]->x += 1;
  const double one = *LabeledShapes({square()}).deviation(wrong);
  wrong[2]->x += 9;
  const double ten = *LabeledShapes({square()}).deviation(wrong);
  EXPECT_GT(one, 0.1);
  EXPECT_GT(ten, 1.5);  // nearly ten fifths: the other four fit
  EXPECT_LT(ten, 2.5);
}

TEST(ShapeDeviation, AveragesTheThreeNearestShapes) {
  std::vector<Shape> shapes;
  std::vector<double> alone;
  for (const double error : {0.0, 3.0, 0.5, 1.0, 2.0}) {
    Shape shape = square();
    shape[1]->y += error;
    alone.push_back(*LabeledShapes({shape}).deviation(square()));
    shapes.push_back(shape);
  }
  EXPECT_DOUBLE_EQ(*LabeledShapes(shapes).deviation(square()),
                   (alone[0] + alone[2] + alone[3]) / 3);
}

TEST(ShapeDeviation, LandmarksOfOnePlaceAreAllowed) {
  const Shape one_place(5, vision::Point{2, 2});
  EXPECT_EQ(LabeledShapes({one_place}).deviation(one_place), 0);
  EXPECT_GT(*LabeledShapes({one_place}).deviation(square()), 1);
}

TEST(ShapeDeviation, ReadsPositionsOfAModelByItsGrids) {
  LandmarkModel model;
  model.labeled.labels = Matrix<std::int64_t>(1, 5);
  model.labeled.tasks = {"a", "b", "c", "d", "e"};
  model.offsets = Matrix<Offset>(1, 5);
  const std::vector<std::int64_t> labels = {0, 4, 44, 40, 31};  // the square, ten columns
  for (std::size_t t = 0; t < 5; ++t) model.labeled.labels(0, t) = labels[t];
  EXPECT_EQ(LabeledShapes(model).deviation(square()), std::nullopt);
  model.grid_columns = {10};
  EXPECT_LT(*LabeledShapes(model).deviation(square()), 1e-12);
}

}  // namespace
}  // namespace caos
