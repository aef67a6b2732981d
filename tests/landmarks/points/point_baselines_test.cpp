#include "caos/landmarks/points/point_baselines.hpp"

#include <gtest/gtest.h>

#include "caos/error.hpp"
#include "tests/landmarks/points/annotated_example.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::AnnotatedImages;
using caos::Indices;
using caos::missing_label;
using caos::PointBaselines;
using caos::vision::Point;
using points::Example;

/// The place in shares of the image's size.
Point relative(const AnnotatedImages& images, std::size_t i, std::size_t t) {
  return {.x = images.points(i, t).x / static_cast<double>(images.frames[i].width),
          .y = images.points(i, t).y / static_cast<double>(images.frames[i].height)};
}

bool has(const AnnotatedImages& images, std::size_t i, std::size_t t) {
  return images.patches.labels(i, t) != missing_label;
}

/// Of the images before `x`.
Point slow_mean(const AnnotatedImages& images, std::size_t x, std::size_t t) {
  Point sum;
  double count = 0;
  for (std::size_t i = 0; i < x; ++i) {
    if (!has(images, i, t)) continue;
    sum.x += relative(images, i, t).x;
    sum.y += relative(images, i, t).y;
    ++count;
  }
  return {.x = sum.x / count * static_cast<double>(images.frames[x].width),
          .y = sum.y / count * static_cast<double>(images.frames[x].height)};
}

Point slow_nearest(const AnnotatedImages& images, std::size_t x, std::size_t t) {
  double best = -2;
  Point point;
  for (std::size_t i = 0; i < x; ++i) {
    const double similarity =
        caos::correlation(thumbnail_of(images.gray[i]), thumbnail_of(images.gray[x]));
    if (!has(images, i, t) || similarity <= best) continue;
    best = similarity;
    point = relative(images, i, t);
  }
  return {.x = point.x * static_cast<double>(images.frames[x].width),
          .y = point.y * static_cast<double>(images.frames[x].height)};
}

Indices before(std::size_t last) {
  Indices indices(last);
  for (std::size_t i = 0; i < last; ++i) indices[i] = i;
  return indices;
}

void expect_near(const Point& a, const Point& b) {
  EXPECT_NEAR(a.x, b.x, 1e-9);
  EXPECT_NEAR(a.y, b.y, 1e-9);
}

TEST(PointBaselines, AreWhatTheirRulesSay) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const AnnotatedImages images =
        Example(seed, {.images = 10, .missing = 4, .any_size = true}).images();
    const AnnotatedImages labeled = select(images, before(9));
    const PointBaselines baselines(labeled);
    const auto means = baselines.mean_position(images.frames[9]);
    const auto nearest = baselines.nearest_image(images.gray[9], images.frames[9]);
    for (std::size_t t = 0; t < 3; ++t) {
      expect_near(means[t], slow_mean(images, 9, t));
      expect_near(nearest[t], slow_nearest(images, 9, t));
    }
  }
}

TEST(PointBaselines, CopyAPointExactlyBetweenImagesOfOneSize) {
  const AnnotatedImages images = Example(1, {.images = 5}).images();
  const PointBaselines baselines(images);
  const auto points = baselines.nearest_image(images.gray[3], images.frames[3]);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(points[t].x, images.points(3, t).x);
    EXPECT_EQ(points[t].y, images.points(3, t).y);
  }
}

TEST(PointBaselines, TakeTheFirstOfEquallySimilarImages) {
  AnnotatedImages images = Example(2, {.images = 4}).images();
  images.gray[2] = images.gray[1];
  const PointBaselines baselines(images);
  EXPECT_EQ(baselines.nearest_image(images.gray[2], images.frames[2])[0].x, images.points(1, 0).x);
}

TEST(PointBaselines, HaveNoNearestImageWithoutPixels) {
  AnnotatedImages images = Example(3, {.pixels = false}).images();
  EXPECT_FALSE(PointBaselines(images).has_thumbnails());
  images.gray.resize(images.size());
  EXPECT_FALSE(PointBaselines(images).has_thumbnails());
}

TEST(PointBaselines, NeedEveryLandmarkInSomeLabeledImage) {
  AnnotatedImages images = Example(4, {.images = 3}).images();
  for (std::size_t i = 0; i < 3; ++i) images.patches.labels(i, 1) = missing_label;
  caos::test::expect_error([&] { (void)PointBaselines(images); }, caos::ErrorKind::invalid_input,
                           {"landmark 1"});
}

}  // namespace
