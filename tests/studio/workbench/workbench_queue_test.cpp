#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/studio/workbench/workbench.hpp"
#include "caos/miscoverage.hpp"
#include "tests/studio/face_project.hpp"

namespace caos::studio {
namespace {

using test::FaceProject;
using test::is_settled;

const auto tenth = Miscoverage::parse("0.1");

/// An image that is like no face.
std::vector<std::byte> stripes() {
  vision::Image image{.width = 224, .height = 224};
  for (std::size_t i = 0; i < image.width * image.height; ++i) {
    const std::uint8_t shade = i % 8 < 4 ? 0 : 255;
    image.rgb.insert(image.rgb.end(), {shade, shade, 1});
  }
  return vision::encode_png(image);
}

TEST(Queue, HasAnImageWhoseRegionsAreEmptyFirst) {
  FaceProject faces(40, 3);
  const Id strange = faces.store.add_image(faces.project, {.name = "strange.png"}, stripes()).id;
  faces.store.draw_sample(faces.project, 24, 1);
  ASSERT_FALSE(faces.store.image(faces.project, strange)
                   .in_sample(faces.store.project(faces.project).sampling));
  for (const Id image : faces.sample()) faces.label(image);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  for (const bool simultaneous : {false, true}) {
    const auto queue = workbench.queue(faces.project, tenth, QueueOrder::worst, simultaneous);
    ASSERT_EQ(queue.size(), 17U);
    EXPECT_EQ(queue[0].image, strange);
    EXPECT_EQ(queue[0].conformity.num_empty, 3U);
    EXPECT_EQ(queue[0].total_size, 0U);
    EXPECT_LE(queue[0].lowest_p_value, 0.1);
  }
}

double p_value_of(std::int64_t count, std::size_t n) {
  return static_cast<double>(1 + count) / static_cast<double>(1 + n);
}

/// What the queue must be sorted by, from the regions that the page gets.
ImageConformity conformity(const ImageRegions& regions) {
  std::vector<LandmarkConformity> landmarks;
  for (const LandmarkRegion& region : regions.landmarks) {
    const std::size_t rank = std::min(conformal_rank(region.n, tenth), region.n);
    LandmarkConformity one;
    for (const std::int64_t count : region.exceeding) {
      if (count >= 0 && p_value_of(count, region.n) > 0.1) ++one.set_size;
    }
    one.p_value = p_value_of(region.exceeding[region.proposal], region.n);
    one.score_over_threshold =
        score_over_threshold(region.proposal_score, region.peers->values()[rank - 1]);
    landmarks.push_back(one);
  }
  return conformity_of(landmarks, regions.shape_deviation);
}

TEST(Queue, GoesFromTheLeastConformingImageToTheMostAndReviewedImagesComeLast) {
  FaceProject faces(34, 3);
  faces.label_sample(20);
  const Id reviewed = faces.rest()[0];
  faces.label(reviewed, Source::accept);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  for (const bool simultaneous : {false, true}) {
    const auto queue = workbench.queue(faces.project, tenth, QueueOrder::worst, simultaneous);
    ASSERT_EQ(queue.size(), 14U);
    EXPECT_EQ(queue.back().image, reviewed);
    std::vector<ImageConformity> expected;
    for (const QueueEntry& entry : queue) {
      const ImageRegions regions = workbench.regions(faces.project, entry.image, simultaneous);
      expected.push_back(conformity(regions));
      EXPECT_EQ(entry.conformity.num_empty, expected.back().num_empty);
      EXPECT_EQ(entry.conformity.mean_p_value, expected.back().mean_p_value);
      EXPECT_EQ(entry.conformity.mean_score_over_threshold,
                expected.back().mean_score_over_threshold);
      EXPECT_EQ(entry.conformity.shape_deviation, expected.back().shape_deviation);
      EXPECT_EQ(static_cast<double>(entry.total_size) / 3, expected.back().mean_set_size);
      for (const LandmarkRegion& region : regions.landmarks) {
        EXPECT_LE(entry.lowest_p_value, conformity_of(region, tenth).p_value);
      }
    }
    for (std::size_t i = 1; i + 1 < queue.size(); ++i) {
      EXPECT_FALSE(conforms_less(expected[i], expected[i - 1])) << i;
    }
  }
}

TEST(Queue, HasTheSameImagesInARandomOrder) {
  FaceProject faces(20, 2);
  faces.label_sample(12);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const auto images_in = [&](QueueOrder order) {
    std::vector<Id> images;
    for (const QueueEntry& entry : workbench.queue(faces.project, tenth, order, false)) {
      images.push_back(entry.image);
    }
    return images;
  };
  EXPECT_EQ(images_in(QueueOrder::random), images_in(QueueOrder::random));
  EXPECT_THAT(images_in(QueueOrder::random),
              testing::UnorderedElementsAreArray(images_in(QueueOrder::worst)));
}

}  // namespace
}  // namespace caos::studio
