#include "caos/landmarks/points/thumbnail.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "caos/error.hpp"
#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::Rng;
using caos::Thumbnail;
using caos::thumbnail_side;
using caos::vision::GrayImage;

GrayImage random_image(std::size_t width, std::size_t height, std::uint64_t seed) {
  Rng rng(seed);
  GrayImage image(height, width);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::uint8_t& value : image.row(y)) value = static_cast<std::uint8_t>(rng.below(256));
  }
  return image;
}

/// The mean over 32 * width times 32 * height small squares, each in one pixel and one cell.
Thumbnail slow_thumbnail(const GrayImage& image) {
  Thumbnail thumbnail{};
  for (std::size_t cell = 0; cell < thumbnail.size(); ++cell) {
    std::uint64_t sum = 0;
    for (std::size_t v = 0; v < image.rows(); ++v) {
      for (std::size_t u = 0; u < image.cols(); ++u) {
        const std::size_t y = (cell / thumbnail_side * image.rows() + v) / thumbnail_side;
        const std::size_t x = (cell % thumbnail_side * image.cols() + u) / thumbnail_side;
        sum += image(y, x);
      }
    }
    const auto count = static_cast<double>(image.rows() * image.cols());
    thumbnail[cell] = static_cast<std::uint8_t>((static_cast<double>(sum) + count / 2) / count);
  }
  return thumbnail;
}

double slow_correlation(const Thumbnail& a, const Thumbnail& b) {
  const auto count = static_cast<double>(a.size());
  double mean_a = 0;
  double mean_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / count;
    mean_b += b[i] / count;
  }
  double both = 0;
  double of_a = 0;
  double of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    of_a += (a[i] - mean_a) * (a[i] - mean_a);
    of_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return both / std::sqrt(of_a * of_b);
}

RC_GTEST_PROP(Thumbnails, AreMeansOverAreas, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 80);
  const auto height = *rc::gen::inRange<std::size_t>(1, 80);
  const GrayImage image = random_image(width, height, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(thumbnail_of(image) == slow_thumbnail(image));
}

TEST(Thumbnails, OfTheirOwnSizeAreTheImage) {
  const GrayImage image = random_image(32, 32, 1);
  const Thumbnail thumbnail = thumbnail_of(image);
  for (std::size_t i = 0; i < thumbnail.size(); ++i) {
    EXPECT_EQ(thumbnail[i], image(i / 32, i % 32));
  }
}

TEST(Thumbnails, RoundHalfUp) {
  GrayImage image(32, 64, 0);
  image(0, 0) = 1;  // with its neighbor, 0: one half
  EXPECT_EQ(thumbnail_of(image)[0], 1);
  EXPECT_EQ(thumbnail_of(image)[1], 0);
}

TEST(Thumbnails, NeedPixels) {
  caos::test::expect_error([] { (void)caos::thumbnail_of(GrayImage()); },
                           caos::ErrorKind::invalid_input, {"pixels"});
}

TEST(Thumbnails, CorrelateAsTheirGrayValues) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Thumbnail a = thumbnail_of(random_image(40, 33, seed));
    const Thumbnail b = thumbnail_of(random_image(64, 20, seed + 100));
    EXPECT_NEAR(caos::correlation(a, b), slow_correlation(a, b), 1e-12);
    EXPECT_EQ(caos::correlation(a, b), caos::correlation(b, a));
    EXPECT_EQ(caos::correlation(a, a), 1);
  }
}

TEST(Thumbnails, DoNotCareAboutExposure) {
  const Thumbnail a = thumbnail_of(random_image(50, 50, 3));
  Thumbnail darker{};
  Thumbnail negative{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    darker[i] = static_cast<std::uint8_t>(a[i] / 2);
    negative[i] = static_cast<std::uint8_t>(255 - a[i]);
  }
  EXPECT_GT(caos::correlation(a, darker), 0.999);
  EXPECT_EQ(caos::correlation(a, negative), -1);
}

TEST(Thumbnails, OfASingleGrayCorrelateWithNothing) {
  const Thumbnail flat = thumbnail_of(GrayImage(10, 10, 77));
  EXPECT_EQ(caos::correlation(flat, thumbnail_of(random_image(9, 9, 1))), 0);
  EXPECT_EQ(caos::correlation(flat, flat), 0);
}

}  // namespace
