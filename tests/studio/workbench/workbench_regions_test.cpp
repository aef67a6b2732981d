#include <gtest/gtest.h>

#include <algorithm>

#include "apps/studio/workbench/embedder.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "tests/studio/face_project.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::FaceProject;
using test::is_settled;

/// The patches that are in a region at alpha.
PredictionSet set_of(const LandmarkRegion& region, const Miscoverage& alpha) {
  PredictionSet set;
  const std::size_t rank = conformal_rank(region.n, alpha);
  for (Label y = 0; y < region.exceeding.size(); ++y) {
    if (region.exceeding[y] < 0) continue;
    if (conforms({.greater = static_cast<std::size_t>(region.exceeding[y])}, region.n, rank)) {
      set.push_back(y);
    }
  }
  return set;
}

void expect_same(const ImageRegions& a, const ImageRegions& b) {
  ASSERT_EQ(a.landmarks.size(), b.landmarks.size());
  EXPECT_EQ(a.unavailable.size(), b.unavailable.size());
  for (std::size_t t = 0; t < a.landmarks.size(); ++t) {
    EXPECT_EQ(a.landmarks[t].landmark, b.landmarks[t].landmark);
    EXPECT_EQ(a.landmarks[t].n, b.landmarks[t].n);
    EXPECT_EQ(a.landmarks[t].exceeding, b.landmarks[t].exceeding);
    EXPECT_EQ(a.landmarks[t].proposal, b.landmarks[t].proposal);
    EXPECT_EQ(a.landmarks[t].x, b.landmarks[t].x);
    EXPECT_EQ(a.landmarks[t].y, b.landmarks[t].y);
  }
}

class Scores : public testing::TestWithParam<std::string> {};

TEST_P(Scores, GiveTheRegionsThatTheProgramPredictsWithTheModel) {
  FaceProject faces(24, 4, {}, {.score = GetParam()});
  faces.label_sample(16);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const LandmarkModel model = workbench.model(faces.project);
  Embedder embedder("builtin", nullptr);
  const EmbeddingRecord how = embedder.record(faces.store.project(faces.project));
  const Id image = faces.rest().front();
  const ImageRecord record = faces.store.image(faces.project, image);
  const Embedding embedding = embedder.embed(how, faces.store.path_of(record), "", "face");
  for (const bool simultaneous : {false, true}) {
    const ImageRegions regions = workbench.regions(faces.project, image, simultaneous);
    ASSERT_EQ(regions.landmarks.size(), 4U);
    EXPECT_EQ(regions.columns * regions.rows, embedding.frame.grid.size());
    for (const char* text : {"0.02", "0.1", "0.3"}) {
      const auto alpha = Miscoverage::parse(text);
      const LandmarkPredictor predictor(model, {.alpha = alpha, .simultaneous = simultaneous});
      const auto expected = predictor.predict(
          embedding.patches->view(), padding_of(embedding.frame), embedding.frame.grid,
          embedding.gray.get(), embedding.cells ? &*embedding.cells : nullptr);
      for (std::size_t t = 0; t < 4; ++t) {
        const LandmarkRegion& region = regions.landmarks[t];
        EXPECT_EQ(set_of(region, alpha), expected[t].set);
        EXPECT_EQ(region.proposal, expected[t].proposal);
        ASSERT_TRUE(expected[t].refined.has_value());
        const vision::Point point = proposed_point(expected[t], embedding.frame);
        EXPECT_EQ(region.x, point.x);
        EXPECT_EQ(region.y, point.y);
        ASSERT_EQ(region.supporting_references.size(), expected[t].supporting_references.size());
        for (std::size_t s = 0; s < region.supporting_references.size(); ++s) {
          EXPECT_EQ(faces.store.image(faces.project, region.supporting_references[s].image).name,
                    model.images[expected[t].supporting_references[s]]);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Scores, testing::Values("cosine", "margin", "softmax", "geometry"));

double mean_error(FaceProject& faces, const Id image, const ImageRegions& regions, bool refined,
                  const vision::Frame& frame) {
  double sum = 0;
  for (std::size_t t = 0; t < regions.landmarks.size(); ++t) {
    const LandmarkRegion& region = regions.landmarks[t];
    const vision::Point at = refined ? vision::Point{region.x, region.y}
                                     : frame.point_at(region.proposal, region.offset);
    sum += distance(at, faces.truth[image][t]);
  }
  return sum / static_cast<double>(regions.landmarks.size());
}

TEST(Regions, ProposePointsThatAreMoreAccurateThanPatches) {
  FaceProject faces(40, 4);
  faces.label_sample(20);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  Embedder embedder("builtin", nullptr);
  double before = 0;
  double after = 0;
  for (const Id image : faces.rest()) {
    const ImageRecord record = faces.store.image(faces.project, image);
    const vision::Frame frame =
        embedder.frame(faces.store.project(faces.project), "", record.width, record.height);
    const ImageRegions regions = workbench.regions(faces.project, image, false);
    before += mean_error(faces, image, regions, false, frame);
    after += mean_error(faces, image, regions, true, frame);
  }
  EXPECT_LT(after, 0.75 * before);
}

TEST(Regions, FollowEveryPointAsIfCalibratedFromScratch) {
  FaceProject faces(14, 3);
  faces.label_sample(10);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const std::vector<ImageRecord> images = faces.store.images(faces.project);
  const Id open = std::ranges::max_element(images, {}, &ImageRecord::order)->id;
  const std::vector<Id> sample = faces.sample();
  const auto check = [&] {
    const ImageRegions regions = workbench.regions(faces.project, open, false);
    Workbench fresh = faces.open_workbench();
    ASSERT_TRUE(is_settled(fresh, faces.project));
    expect_same(regions, fresh.regions(faces.project, open, false));
  };
  faces.place(sample[2], 1, {20, 30});
  workbench.changed(faces.project, sample[2]);
  check();
  faces.place(sample[4], 0, {0, 0}, Source::blind, PointState::missing);
  workbench.changed(faces.project, sample[4]);
  check();
  // The image whose regions are looked at is the last of the order, and never joins the sample.
  faces.store.draw_sample(faces.project, {.size = 12, .confirmed = true});
  faces.label(faces.sample()[10]);
  workbench.changed(faces.project);
  ASSERT_TRUE(is_settled(workbench, faces.project));
  check();
}

TEST(Regions, TakeHiddenLandmarksForMissingOnes) {
  FaceProject faces(14, 2);
  faces.label_sample(10);
  faces.place(faces.sample()[3], 1, {20, 30}, Source::blind, PointState::hidden);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ImageRegions regions = workbench.regions(faces.project, faces.rest()[0], false);
  ASSERT_EQ(regions.landmarks.size(), 2U);
  EXPECT_EQ(regions.landmarks[0].n, 10U);
  EXPECT_EQ(regions.landmarks[1].n, 9U);
}

TEST(Regions, CountCalibrationsSoThatEqualNumbersMeanEqualRegions) {
  FaceProject faces(12, 2);
  faces.label_sample(8);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const Id open = faces.rest().front();
  const auto number = workbench.regions(faces.project, open, false).calibration;
  EXPECT_EQ(workbench.regions(faces.project, open, false).calibration, number);
  faces.place(faces.sample()[0], 0, {100, 100});
  workbench.changed(faces.project, faces.sample()[0]);
  EXPECT_GT(workbench.regions(faces.project, open, false).calibration, number);
}

TEST(Regions, OfTheSampleAreNotShown) {
  FaceProject faces(8, 2);
  faces.label_sample(6);
  Workbench workbench = faces.open_workbench();
  expect_error([&] { (void)workbench.regions(faces.project, faces.sample()[0], false); },
               ErrorKind::invalid_input, {"belongs to the sample", "without sight of regions"});
  expect_error(
      [&] {
        (void)workbench.supporting_references(faces.project, faces.sample()[0], faces.landmarks[0],
                                              3);
      },
      ErrorKind::invalid_input, {"without sight of regions"});
}

TEST(Regions, AreNotedOnceShown) {
  FaceProject faces(8, 2);
  faces.label_sample(6);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const Id image = faces.rest().front();
  (void)workbench.regions(faces.project, image, false, Showing::internally);
  EXPECT_TRUE(faces.store.image(faces.project, image).seen_at.empty());
  (void)workbench.regions(faces.project, image, false);
  EXPECT_FALSE(faces.store.image(faces.project, image).seen_at.empty());
}

TEST(Regions, SayWhichLandmarksHaveNoneAndWhy) {
  FaceProject faces(10, 2);
  faces.label_sample(8);
  for (const Id image : faces.sample()) {
    if (image == faces.sample()[0]) continue;
    faces.place(image, 1, {}, Source::blind, PointState::missing);
  }
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ImageRegions regions = workbench.regions(faces.project, faces.rest()[0], false);
  ASSERT_EQ(regions.landmarks.size(), 1U);
  ASSERT_EQ(regions.unavailable.size(), 1U);
  EXPECT_EQ(regions.unavailable[0].landmark, faces.landmarks[1]);
  EXPECT_EQ(regions.unavailable[0].why, "is marked in 1 labeled images; k = 3 needs 4");
}

TEST(Regions, TakeNoSupportFromTheSameSubject) {
  // Subjects have three images each; the sample has one of each.
  std::vector<std::string> subjects;
  for (int i = 0; i < 24; ++i) subjects.push_back(fmt::format("s{}", i % 8));
  FaceProject faces(24, 2, subjects);
  faces.label_sample(8);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  std::map<Id, std::string> subject_of;
  for (const ImageRecord& image : faces.store.images(faces.project)) {
    subject_of[image.id] = image.subject.value_or("");
  }
  for (const Id image : faces.rest()) {
    const ImageRegions regions = workbench.regions(faces.project, image, false);
    EXPECT_EQ(regions.guarantee.kind,
              ProjectGuarantee::Kind::none);  // all subjects are in the sample
    EXPECT_NE(regions.guarantee.why_none.find("same subject"), std::string::npos);
    for (const LandmarkRegion& region : regions.landmarks) {
      for (const SupportingReference& reference : region.supporting_references) {
        EXPECT_NE(subject_of[reference.image], subject_of[image]);
      }
    }
  }
}

TEST(SupportingReferences, OfTheProposalAreThoseOfTheRegion) {
  FaceProject faces(10, 2);
  faces.label_sample(8);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const Id image = faces.rest().front();
  const LandmarkRegion region = workbench.regions(faces.project, image, false).landmarks[1];
  const auto support =
      workbench.supporting_references(faces.project, image, region.landmark, region.proposal);
  ASSERT_EQ(support.size(), region.supporting_references.size());
  for (std::size_t s = 0; s < support.size(); ++s) {
    EXPECT_EQ(support[s].image, region.supporting_references[s].image);
    EXPECT_EQ(support[s].score, region.supporting_references[s].score);
  }
  expect_error(
      [&] { (void)workbench.supporting_references(faces.project, image, region.landmark, 99999); },
      ErrorKind::invalid_input, {"out of range"});
}

TEST(Regions, OfAProjectThatIsNotThereAreNotFound) {
  FaceProject faces(1, 1);
  Workbench workbench = faces.open_workbench();
  expect_error([&] { (void)workbench.status(99, false); }, ErrorKind::not_found, {"project"});
  expect_error([&] { (void)workbench.regions(faces.project, 99, false); }, ErrorKind::not_found,
               {"image 99"});
}

}  // namespace
}  // namespace caos::studio
