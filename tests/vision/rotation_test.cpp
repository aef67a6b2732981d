#include "caos/vision/rotation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "caos/error.hpp"
#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

Image noise(std::size_t width, std::size_t height, std::uint64_t seed) {
  Rng rng(seed);
  Image image{.width = width, .height = height};
  for (std::size_t i = 0; i < 3 * width * height; ++i) {
    image.rgb.push_back(static_cast<std::uint8_t>(rng.below(256)));
  }
  return image;
}

std::vector<int> pixel(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* at = image.rgb.data() + 3 * (y * image.width + x);
  return {at[0], at[1], at[2]};
}

/// In double precision, from the definition: the center of the image becomes that of the canvas.
double slow_value(const Image& image, const Image& canvas, double degrees, std::size_t x,
                  std::size_t y, std::size_t channel) {
  const double angle = degrees * std::numbers::pi / 180;
  const double u = static_cast<double>(x) + 0.5 - static_cast<double>(canvas.width) / 2;
  const double v = static_cast<double>(y) + 0.5 - static_cast<double>(canvas.height) / 2;
  const double from_x =
      std::cos(angle) * u + std::sin(angle) * v + static_cast<double>(image.width) / 2 - 0.5;
  const double from_y =
      std::cos(angle) * v - std::sin(angle) * u + static_cast<double>(image.height) / 2 - 0.5;
  const auto at = [&](double column, double row) {
    const double inside_x = std::clamp(column, 0.0, static_cast<double>(image.width) - 1);
    const double inside_y = std::clamp(row, 0.0, static_cast<double>(image.height) - 1);
    return static_cast<double>(pixel(image, static_cast<std::size_t>(inside_x),
                                     static_cast<std::size_t>(inside_y))[channel]);
  };
  const double left = std::floor(from_x);
  const double above = std::floor(from_y);
  const double right_share = from_x - left;
  const double below_share = from_y - above;
  return (at(left, above) * (1 - right_share) + at(left + 1, above) * right_share) *
             (1 - below_share) +
         (at(left, above + 1) * (1 - right_share) + at(left + 1, above + 1) * right_share) *
             below_share;
}

TEST(Rotation, IsBilinear) {
  for (const double degrees : {-30.0, -15.0, 15.0, 30.0, 60.0, 150.0, 210.0, 330.0}) {
    const Image image = noise(23, 17, 3);
    const Image rotated = rotated_image(image, {23, 17}, degrees);
    for (std::size_t y = 0; y < rotated.height; ++y) {
      for (std::size_t x = 0; x < rotated.width; ++x) {
        for (std::size_t c = 0; c < 3; ++c) {
          // Weights are rounded to parts of 256.
          EXPECT_NEAR(pixel(rotated, x, y)[c], slow_value(image, rotated, degrees, x, y, c), 2.6);
        }
      }
    }
  }
}

TEST(Rotation, ByRightAnglesMovesPixelsAndChangesNone) {
  const Image image = noise(5, 3, 8);
  const Image quarter = rotated_image(image, {5, 3}, 90);
  ASSERT_EQ(quarter.width, 3U);
  ASSERT_EQ(quarter.height, 5U);
  const Image half = rotated_image(image, {5, 3}, 180);
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 5; ++x) {
      EXPECT_EQ(pixel(quarter, 2 - y, x), pixel(image, x, y));  // clockwise
      EXPECT_EQ(pixel(half, 4 - x, 2 - y), pixel(image, x, y));
    }
  }
}

TEST(Rotation, LooksAtThePartOnly) {
  const Image image = noise(12, 9, 2);
  Image part{.width = 7, .height = 5};
  for (std::size_t y = 0; y < 5; ++y) {
    for (std::size_t x = 0; x < 7; ++x) {
      for (const int value : pixel(image, x, y)) {
        part.rgb.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  EXPECT_EQ(rotated_image(image, {7, 5}, 30).rgb, rotated_image(part, {7, 5}, 30).rgb);
}

TEST(Rotation, PointsMoveWithTheirPixels) {
  Image image{.width = 61, .height = 43, .rgb = std::vector<std::uint8_t>(3 * 61 * 43, 0)};
  for (const auto& [x, y] : {std::pair(10U, 8U), {55U, 30U}, {30U, 21U}}) {
    std::ranges::fill(image.rgb, std::uint8_t{0});
    for (std::size_t c = 0; c < 3; ++c) image.rgb[3 * (y * 61 + x) + c] = 255;
    for (const Rotation rotation : {Rotation::small, Rotation::any}) {
      for (const double degrees : angles_of(rotation)) {
        const Image rotated = rotated_image(image, {61, 43}, degrees);
        double total = 0;
        Point mean{};
        for (std::size_t v = 0; v < rotated.height; ++v) {
          for (std::size_t u = 0; u < rotated.width; ++u) {
            const double weight = pixel(rotated, u, v)[0];
            total += weight;
            mean.x += weight * (static_cast<double>(u) + 0.5);
            mean.y += weight * (static_cast<double>(v) + 0.5);
          }
        }
        const Point point = rotated_point({x + 0.5, y + 0.5}, {61, 43}, degrees);
        EXPECT_NEAR(mean.x / total, point.x, 0.1);
        EXPECT_NEAR(mean.y / total, point.y, 0.1);
      }
    }
  }
}

TEST(Rotation, EveryPointOfAnImageStaysOnTheCanvas) {
  for (const double degrees : angles_of(Rotation::any)) {
    for (const ImageSize size : {ImageSize{1, 1}, {16, 16}, {512, 389}, {7, 900}}) {
      const ImageSize canvas = rotated_size(size, degrees);
      const auto right = std::nextafter(static_cast<double>(size.width), 0.0);
      const auto bottom = std::nextafter(static_cast<double>(size.height), 0.0);
      for (const Point corner : {Point{0, 0}, {right, 0}, {0, bottom}, {right, bottom}}) {
        const Point point = rotated_point(corner, size, degrees);
        EXPECT_TRUE(0 <= point.x && point.x < static_cast<double>(canvas.width));
        EXPECT_TRUE(0 <= point.y && point.y < static_cast<double>(canvas.height));
      }
    }
  }
}

TEST(Rotation, AnglesCoverWhatTheNameSays) {
  EXPECT_TRUE(angles_of(Rotation::none).empty());
  EXPECT_THAT(angles_of(Rotation::small), testing::ElementsAre(-30, -15, 15, 30));
  double before = 0;
  for (const double degrees : angles_of(Rotation::any)) {
    EXPECT_LE(degrees - before, 30);
    before = degrees;
  }
  EXPECT_GE(before, 330);
}

TEST(Rotation, IsReadByName) {
  for (const Rotation rotation : {Rotation::none, Rotation::small, Rotation::any}) {
    EXPECT_EQ(parse_rotation(rotation_name(rotation)), rotation);
  }
  test::expect_error([] { static_cast<void>(parse_rotation("30")); }, ErrorKind::invalid_input,
                     {"rotation '30'", "none, small"});
}

}  // namespace
}  // namespace caos::vision
