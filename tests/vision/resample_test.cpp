#include "caos/vision/resample.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "caos/io/checksum.hpp"
#include "tests/support/test_folders.hpp"
#include "tests/vision/random_image.hpp"

namespace caos::vision {
namespace {

using test::random_image;

/// A line of tests/data/images/shrunk.csv: OpenCV 4.6 made random_image(width, height, seed)
/// smaller with INTER_AREA, and the result had this checksum.
struct Case {
  std::uint64_t seed = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t to_width = 0;
  std::size_t to_height = 0;
  std::string checksum{};
};

std::vector<Case> cases() {
  std::ifstream file(test::image_files_folder() + "shrunk.csv");
  std::vector<Case> result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::ranges::replace(line, ',', ' ');
    Case c;
    std::istringstream(line) >> c.seed >> c.width >> c.height >> c.to_width >> c.to_height >>
        c.checksum;
    result.push_back(c);
  }
  return result;
}

TEST(Shrink, GivesTheBytesThatOpenCvGave) {
  const std::vector<Case> all = cases();
  ASSERT_GT(all.size(), 150U);
  for (const Case& c : all) {
    const Image image = shrink(random_image(c.width, c.height, c.seed), c.to_width, c.to_height);
    EXPECT_EQ(image.width, c.to_width);
    EXPECT_EQ(image.height, c.to_height);
    EXPECT_EQ(io::checksum({std::as_bytes(std::span(image.rgb))}), c.checksum)
        << fmt::format("{} x {} to {} x {}", c.width, c.height, c.to_width, c.to_height);
  }
}

TEST(Shrink, LeavesAnImageOfTheSameSize) {
  const Image image = random_image(31, 17, 1);
  EXPECT_EQ(shrink(image, 31, 17).rgb, image.rgb);
}

TEST(Shrink, AveragesImagesWhoseSumNeedsMoreThan32Bits) {
  const Image image{
      .width = 4096, .height = 4200, .rgb = std::vector<std::uint8_t>(4096 * 4200 * 3, 255)};
  EXPECT_EQ(shrink(image, 1, 1).rgb, (std::vector<std::uint8_t>(3, 255)));
}

/// How much of new pixel `to` of `count` the old pixel `from` of `size` covers.
double share(std::size_t from, std::size_t size, std::size_t to, std::size_t count) {
  const double ratio = static_cast<double>(size) / static_cast<double>(count);
  const double first = std::max(static_cast<double>(from), static_cast<double>(to) * ratio);
  const double last = std::min(static_cast<double>(from + 1), static_cast<double>(to + 1) * ratio);
  return std::max(0.0, last - first) / ratio;
}

double slow_mean(const Image& image, const Image& small, std::size_t x, std::size_t y,
                 std::size_t c) {
  double sum = 0;
  for (std::size_t j = 0; j < image.height; ++j) {
    for (std::size_t i = 0; i < image.width; ++i) {
      sum += share(i, image.width, x, small.width) * share(j, image.height, y, small.height) *
             image.rgb[(j * image.width + i) * 3 + c];
    }
  }
  return sum;
}

RC_GTEST_PROP(Shrink, IsTheMeanOverTheAreaToWithinRounding, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 14);
  const auto height = *rc::gen::inRange<std::size_t>(1, 14);
  const Image image = random_image(width, height, *rc::gen::arbitrary<std::uint64_t>());
  const Image small = shrink(image, *rc::gen::inRange<std::size_t>(1, width + 1),
                             *rc::gen::inRange<std::size_t>(1, height + 1));
  for (std::size_t i = 0; i < small.rgb.size(); ++i) {
    const std::size_t pixel = i / 3;
    const double mean = slow_mean(image, small, pixel % small.width, pixel / small.width, i % 3);
    RC_ASSERT(std::abs(mean - small.rgb[i]) < 0.51);
  }
}

/// The weight of a pixel at distance d.
double cubic(double d) {
  constexpr double a = -0.75;
  d = std::abs(d);
  if (d < 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  return d < 2 ? a * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
}

double slow_cubic(const Image& image, double x, double y, std::size_t c) {
  const auto clamped = [](double at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
  };
  double sum = 0;
  for (double j = std::floor(y) - 1; j < y + 2; ++j) {
    for (double i = std::floor(x) - 1; i < x + 2; ++i) {
      const std::size_t at = clamped(j, image.height) * image.width + clamped(i, image.width);
      sum += cubic(x - i) * cubic(y - j) * image.rgb[at * 3 + c];
    }
  }
  return std::clamp(sum, 0.0, 255.0);
}

RC_GTEST_PROP(Enlarge, IsACubicConvolutionToWithinRounding, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 8);
  const auto height = *rc::gen::inRange<std::size_t>(1, 8);
  const auto factor = *rc::gen::inRange<std::size_t>(1, 6);
  const Image image = random_image(width, height, *rc::gen::arbitrary<std::uint64_t>());
  const Image large = enlarge(image, factor);
  RC_ASSERT(large.width == width * factor);
  RC_ASSERT(large.height == height * factor);
  const auto middle = [&](std::size_t at) {
    return (static_cast<double>(at) + 0.5) / static_cast<double>(factor) - 0.5;
  };
  for (std::size_t i = 0; i < large.rgb.size(); ++i) {
    const std::size_t pixel = i / 3;
    const double exact =
        slow_cubic(image, middle(pixel % large.width), middle(pixel / large.width), i % 3);
    RC_ASSERT(std::abs(exact - large.rgb[i]) < 1.0);
  }
}

TEST(Enlarge, KeepsEveryShadeOfAPlainImage) {
  for (std::size_t factor = 1; factor < 12; ++factor) {
    for (int shade = 0; shade < 256; ++shade) {
      const std::vector<std::uint8_t> rgb(6, static_cast<std::uint8_t>(shade));
      const Image large = enlarge({.width = 2, .height = 1, .rgb = rgb}, factor);
      EXPECT_TRUE(std::ranges::all_of(large.rgb, [&](int value) { return value == shade; }));
    }
  }
}

}  // namespace
}  // namespace caos::vision
