#include "caos/vision/structure.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

GrayImage plain(std::size_t width, std::size_t height) { return {height, width, 100}; }

/// Dark to the left of `column`.
GrayImage edge_at(std::size_t width, std::size_t height, std::size_t column) {
  GrayImage image(height, width, 200);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < column; ++x) image(y, x) = 0;
  }
  return image;
}

TEST(Structure, IsNoneWhereNothingChanges) {
  const Structure structure(plain(40, 30));
  EXPECT_EQ(structure.mean(), 0);
  EXPECT_EQ(structure.around({20, 15}), 0);
}

TEST(Structure, IsWhereEdgesAre) {
  const Structure structure(edge_at(200, 100, 100));
  EXPECT_GT(structure.around({100, 50}), 10 * structure.mean() / 2);
  EXPECT_EQ(structure.around({60, 50}), 0);
  EXPECT_EQ(structure.around({140, 50}), 0);
}

/// Smoothing and central differences keep the sum of a step: 200 over each row.
TEST(Structure, IsTheMeanLengthOfGradients) {
  EXPECT_NEAR(Structure(edge_at(200, 100, 100)).mean(), 200.0 / 200, 1e-5);
  EXPECT_NEAR(Structure(edge_at(200, 100, 100)).around({100, 50}), 200.0 / 17, 1e-5);
}

TEST(Structure, IsThatOfASmallCopyOfALargeImage) {
  EXPECT_NEAR(Structure(edge_at(1025, 3, 512)).mean(), 0, 1);  // blocks of three, and a rest
  const Structure structure(edge_at(2048, 1024, 1024));
  EXPECT_NEAR(structure.mean(), 200.0 / 512, 1e-5);
  EXPECT_GT(structure.around({1024, 500}), 10);
  EXPECT_EQ(structure.around({900, 500}), 0);
}

TEST(Structure, TakesPointsAtAndBeyondTheEdge) {
  const Structure structure(edge_at(20, 20, 1));
  EXPECT_EQ(structure.around({-5, 10}), structure.around({0, 10}));
  EXPECT_EQ(structure.around({100, 100}), structure.around({19, 19}));
  EXPECT_EQ(Structure(plain(1, 1)).around({0, 0}), 0);
}

TEST(Structure, NeedsPixels) {
  expect_error([] { (void)Structure(GrayImage()); }, ErrorKind::invalid_input, {"pixels"});
}

}  // namespace
}  // namespace caos::vision
