#include "caos/vision/backbones/location_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

const PatchGrid faces = grid_over(178, 218, 16);

Matrix<float> descriptors() {
  Matrix<float> result(faces.size(), 2);
  for (std::size_t p = 0; p < result.rows(); ++p) {
    result(p, 0) = 3;
    result(p, 1) = 4;
  }
  return result;
}

TEST(LocationPrior, FollowsItsFormula) {
  const Matrix<float> result = with_location(descriptors(), faces);
  ASSERT_EQ(result.cols(), 2U + 110U);
  for (const Label patch : {0U, 17U, 167U}) {
    const Point center{faces.corner(patch).x + 8, faces.corner(patch).y + 8};
    std::vector<double> bumps;
    double sum = 0;
    for (int y = -48; y <= 272; y += 32) {
      for (int x = -48; x <= 240; x += 32) {
        const double distance = std::hypot(center.x - x, center.y - y) / 24;
        bumps.push_back(std::exp(-distance * distance / 2));
        sum += bumps.back() * bumps.back();
      }
    }
    EXPECT_FLOAT_EQ(result(patch, 0), static_cast<float>(0.6 * std::sqrt(0.75)));
    EXPECT_FLOAT_EQ(result(patch, 1), static_cast<float>(0.8 * std::sqrt(0.75)));
    for (std::size_t i = 0; i < bumps.size(); ++i) {
      EXPECT_NEAR(result(patch, i + 2), 0.5 * bumps[i] / std::sqrt(sum), 1e-7);
    }
  }
}

TEST(LocationPrior, WeighsPlaceAgainstAppearance) {
  const Matrix<float> appearance = with_location(descriptors(), faces, {.weight = 0});
  EXPECT_FLOAT_EQ(appearance(5, 0), 0.6F);
  EXPECT_EQ(appearance(5, 60), 0.0F);
  const Matrix<float> place = with_location(descriptors(), faces, {.weight = 1});
  EXPECT_EQ(place(5, 0), 0.0F);
}

TEST(LocationPrior, LeavesRowsOfZeros) {
  const Matrix<float> result = with_location(Matrix<float>(faces.size(), 2), faces);
  EXPECT_EQ(result(0, 0), 0.0F);
  EXPECT_EQ(result(0, 1), 0.0F);
}

TEST(LocationPrior, RefusesInvalidArguments) {
  const auto refused = [](const LocationPrior& prior, const std::string& text) {
    expect_error([&] { (void)with_location(descriptors(), faces, prior); },
                 ErrorKind::invalid_input, {text});
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double sigma : {0.0, -1.0, nan}) refused({.sigma = sigma}, "must be positive");
  for (const double weight : {-0.1, 1.1, nan}) refused({.weight = weight}, "between 0 and 1");
  expect_error([] { (void)with_location(Matrix<float>(3, 2), faces); }, ErrorKind::invalid_input,
               {"one row per patch"});
}

}  // namespace
}  // namespace caos::vision
