#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "apps/studio/workbench/workbench.hpp"
#include "caos/error.hpp"
#include "caos/rng.hpp"
#include "tests/studio/face_project.hpp"

namespace caos::studio {
namespace {

using test::eventually;
using test::FaceProject;
using test::is_settled;

ProjectGuarantee guarantee_in(Workbench& workbench, const FaceProject& faces) {
  return workbench.status(faces.project, false).guarantee;
}

TEST(ProjectGuarantee, IsByDesignForARandomSampleThatWasLabeledBlind) {
  FaceProject faces(16, 2);
  faces.label_sample(10);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ProjectGuarantee guarantee = guarantee_in(workbench, faces);
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_TRUE(guarantee.by_design);
  EXPECT_NE(guarantee.holds_for.find("the rest of the pool as it was on"), std::string::npos)
      << guarantee.holds_for;
  EXPECT_NE(guarantee.holds_for.find("on average over the samples"), std::string::npos);
}

TEST(ProjectGuarantee, IsForARandomImageOfARandomSubjectWhereThereAreSubjects) {
  FaceProject faces(10, 1, {"a", "a", "b", "c", "d", "d", "d", "e", "f", "g"});
  faces.label_sample(5);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const std::string holds_for = guarantee_in(workbench, faces).holds_for;
  EXPECT_NE(
      holds_for.find("in a random image of a subject drawn at random from the rest of the pool"),
      std::string::npos)
      << holds_for;
}

TEST(ProjectGuarantee, IsNoneBeforeThereIsASampleAndBeforeItIsLabeled) {
  FaceProject faces(8, 2);
  Workbench workbench = faces.open_workbench();
  EXPECT_NE(guarantee_in(workbench, faces).why_none.find("no sample"), std::string::npos);
  faces.store.draw_sample(faces.project, 5, 1);
  workbench.changed(faces.project);
  EXPECT_NE(guarantee_in(workbench, faces).why_none.find("labeled yet"), std::string::npos);
}

TEST(ProjectGuarantee, IsNoneWhileAnImageOfTheSampleIsPassedOver) {
  FaceProject faces(12, 1);
  faces.store.draw_sample(faces.project, 8, 1);
  const std::vector<Id> sample = faces.sample();
  for (const Id image : sample) {
    if (image != sample[2] && image != sample[7]) faces.label(image);
  }
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const std::string skipped = faces.store.image(faces.project, sample[2]).name;
  const std::string last = faces.store.image(faces.project, sample[7]).name;
  const ProjectGuarantee before = guarantee_in(workbench, faces);
  EXPECT_NE(before.why_none.find(skipped), std::string::npos) << before.why_none;
  EXPECT_EQ(before.why_none.find(last), std::string::npos);  // the end of the order may be open
  for (const std::size_t place : {2U, 7U}) faces.label(sample[place]);
  workbench.changed(faces.project);
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_TRUE(guarantee_in(workbench, faces).by_design);
}

TEST(ProjectGuarantee, IsNoneOnceAnImageOfTheSampleWasRemoved) {
  for (const std::size_t place : {3U, 7U}) {  // in the middle, and at the end
    FaceProject faces(12, 1);
    faces.label_sample(8);
    Workbench workbench = faces.open_workbench();
    ASSERT_TRUE(is_settled(workbench, faces.project));
    ASSERT_TRUE(guarantee_in(workbench, faces).by_design);
    faces.store.remove_image(faces.project, faces.rest()[0]);
    workbench.changed(faces.project);
    EXPECT_TRUE(guarantee_in(workbench, faces).by_design);  // the others do not calibrate
    faces.store.remove_image(faces.project, faces.sample()[place]);
    workbench.changed(faces.project);
    EXPECT_NE(guarantee_in(workbench, faces).why_none.find("removed"), std::string::npos);
  }
}

TEST(ProjectGuarantee, IsNoneOnceCorrectionsAreReferences) {
  FaceProject faces(12, 1);
  faces.label_sample(8);
  faces.label(faces.rest()[0], Source::correct);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_EQ(workbench.status(faces.project, false).n, 8U);
  Settings settings = faces.store.project(faces.project).settings;
  settings.use_corrections = true;
  faces.store.change_settings(faces.project, settings);
  workbench.changed(faces.project);
  const Status status = workbench.status(faces.project, false);
  EXPECT_EQ(status.n, 9U);
  EXPECT_EQ(status.guarantee.kind, ProjectGuarantee::Kind::none);
  EXPECT_NE(status.guarantee.why_none.find("corrected in review"), std::string::npos);
}

TEST(ProjectGuarantee, IsNoneOnceAnImageWasSeenBeforeItJoinedTheSample) {
  FaceProject faces(10, 1);
  faces.label_sample(6);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  for (const Id image : faces.rest()) (void)workbench.regions(faces.project, image, false);
  EXPECT_TRUE(guarantee_in(workbench, faces).by_design);
  faces.store.draw_sample(faces.project, {.size = 7, .confirmed = true});
  faces.label(faces.sample()[6]);
  workbench.changed(faces.project);
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_EQ(guarantee_in(workbench, faces).kind, ProjectGuarantee::Kind::none);
}

TEST(ProjectGuarantee, CountsAnImageAsSeenOnceThereWasSomethingToSee) {
  FaceProject faces(10, 1, {}, {.score = "cosine", .k = 3});
  faces.label_sample(3);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const auto is_seen = [&](Id image) {
    return !faces.store.image(faces.project, image).seen_at.empty();
  };
  const Id early = faces.rest()[0];
  EXPECT_TRUE(workbench.regions(faces.project, early, false).landmarks.empty());
  EXPECT_FALSE(is_seen(early));  // three images are too few for any region
  faces.store.draw_sample(faces.project, 6, 0);
  for (const Id image : faces.sample()) faces.label(image);
  workbench.changed(faces.project);
  const Id late = faces.rest()[0];
  EXPECT_EQ(workbench.supporting_references(faces.project, late, faces.landmarks[0], 5).size(), 3U);
  EXPECT_TRUE(is_seen(late));
}

TEST(ProjectGuarantee, IsTakenOnTrustForImagesThatWereNotDrawn) {
  FaceProject faces(12, 1);
  for (std::size_t i = 0; i < 8; ++i) faces.label(faces.ids[i], Source::import);
  faces.store.take_labeled_as_sample(faces.project, 3);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ProjectGuarantee guarantee = guarantee_in(workbench, faces);
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_NE(guarantee.assumption.find("exchangeable"), std::string::npos);
}

TEST(ProjectGuarantee, IsTakenOnTrustForPointsThatWereImportedAfterTheDraw) {
  FaceProject faces(10, 1);
  for (const Id image : faces.ids) faces.label(image, Source::import);
  faces.store.draw_sample(faces.project, 6, 1);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_TRUE(guarantee_in(workbench, faces).by_design);      // which ones are drawn, no file knew
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // times are in milliseconds
  faces.label(faces.sample()[2], Source::import);
  workbench.changed(faces.project);
  const ProjectGuarantee guarantee = guarantee_in(workbench, faces);
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_NE(guarantee.assumption.find("imported after"), std::string::npos);
}

TEST(ProjectGuarantee, IsKeptWhereNewProjectsHaveAnotherWorkingSize) {
  FaceProject faces(10, 1);
  faces.label_sample(8);
  const auto answer = [&](const std::string& working_size) {
    Workbench workbench(faces.store, {.working_size = working_size, .threads = 1, .rest = {}}, {});
    EXPECT_TRUE(is_settled(workbench, faces.project));
    EXPECT_EQ(guarantee_in(workbench, faces).kind, ProjectGuarantee::Kind::marginal);
    EXPECT_EQ(workbench.model(faces.project).embedding.working_size, "");
    return workbench.regions(faces.project, faces.rest()[0], false);
  };
  const ImageRegions first = answer("512");
  const ImageRegions second = answer("96");
  EXPECT_EQ(first.columns, 12U);
  EXPECT_EQ(second.columns, 12U);
  EXPECT_EQ(first.landmarks.at(0).exceeding, second.landmarks.at(0).exceeding);
}

TEST(ProjectGuarantee, IsNoneWhereTheStudioHasAnotherBackboneThanTheProject) {
  FaceProject faces(10, 1);
  const Id other = faces.store.add_project("other", "onnx:vit", "512", {}).id;
  Workbench workbench(faces.store, {.threads = 1, .rest = {}}, {});
  const ProjectGuarantee guarantee = workbench.status(other, false).guarantee;
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::none);
  EXPECT_NE(guarantee.why_none.find("another --backbone than the project was made with (onnx:vit)"),
            std::string::npos);
}

TEST(Workbench, EmbedsImagesOfEachProjectInItsOwnSize) {
  FaceProject faces(10, 1);
  const auto bytes = vision::encode_png(vision::draw_face(6, 0).image);
  const Id small = faces.store.add_project("small", "builtin", "96", {}).id;
  const Id image = faces.store.add_image(small, {.name = "a.png"}, bytes).id;
  const Id same = faces.store.add_image(faces.project, {.name = "a.png"}, bytes).id;
  Workbench workbench = faces.open_workbench();
  EXPECT_EQ(workbench.frame(small, image)->scaled_height, 96U);
  EXPECT_EQ(workbench.frame(faces.project, same)->scaled_height, 218U);
}

TEST(ProjectGuarantee, IsTakenOnTrustForAnImageThatCameAfterTheDraw) {
  FaceProject faces(10, 1);
  faces.label_sample(8);
  const auto bytes = vision::encode_png(vision::draw_face(6, 0).image);
  const Id late = faces.store.add_image(faces.project, {.name = "late.png"}, bytes).id;
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ProjectGuarantee guarantee = workbench.regions(faces.project, late, false).guarantee;
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_NE(guarantee.holds_for.find("added after"), std::string::npos);
}

TEST(Status, TellsNRankAndWhatSmallerAlphasTake) {
  FaceProject faces(24, 2, {}, {.score = "cosine", .alpha = "0.1"});
  faces.label_sample(20);
  faces.place(faces.sample()[0], 1, {}, Source::blind, PointState::missing);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const Status status = workbench.status(faces.project, false);
  EXPECT_EQ(status.n, 19U);  // of the landmark that has fewest
  EXPECT_EQ(status.rank, 18U);
  EXPECT_TRUE(status.feasible);
  EXPECT_DOUBLE_EQ(status.smallest_feasible_alpha, 0.05);
  EXPECT_EQ(status.num_labeled, 20U);
  EXPECT_EQ(status.num_rest, 4U);
  ASSERT_EQ(status.needs.size(), 5U);
  EXPECT_EQ(status.needs[2].alpha, "0.05");
  EXPECT_EQ(status.needs[2].more, 0U);
  EXPECT_EQ(status.needs[4].alpha, "0.01");
  EXPECT_EQ(status.needs[4].labels, 99U);
  EXPECT_EQ(status.needs[4].more, 80U);
  EXPECT_EQ(status.landmarks[0].n, 20U);
  EXPECT_EQ(workbench.status(faces.project, true).n, 20U);
}

TEST(Status, DescribesHowOftenRegionsHeldWhatReviewFound) {
  FaceProject faces(30, 3);
  faces.label_sample(20);
  for (const Id image : faces.rest()) faces.label(image, Source::correct);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const ReviewedCoverage coverage = workbench.status(faces.project, false).reviewed;
  std::size_t covered = 0;
  for (const Id image : faces.rest()) {
    const ImageRegions regions =
        workbench.regions(faces.project, image, false, Showing::internally);
    for (std::size_t t = 0; t < regions.landmarks.size(); ++t) {
      const vision::Point point = faces.truth[image][t];
      const auto column = std::ranges::upper_bound(regions.x, point.x) - regions.x.begin() - 1;
      const auto row = std::ranges::upper_bound(regions.y, point.y) - regions.y.begin() - 1;
      const auto patch =
          static_cast<std::size_t>(row) * regions.columns + static_cast<std::size_t>(column);
      const LandmarkRegion& region = regions.landmarks[t];
      const double p =
          static_cast<double>(1 + region.exceeding[patch]) / static_cast<double>(region.n + 1);
      if (p > 0.1) ++covered;
    }
  }
  EXPECT_EQ(coverage.images, 10U);
  EXPECT_EQ(coverage.points, 30U);
  EXPECT_EQ(coverage.covered, covered);
}

TEST(Alarm, IsQuietForFacesAndRaisedWhenLaterOnesAreMarkedElsewhere) {
  FaceProject faces(80, 6);
  faces.label_sample(80);
  {
    Workbench workbench = faces.open_workbench();
    ASSERT_TRUE(is_settled(workbench, faces.project));
    const Alarm alarm = workbench.status(faces.project, false).alarm;
    EXPECT_EQ(alarm.steps.size(), 80U);
    EXPECT_FALSE(alarm.raised);
    EXPECT_EQ(alarm.steps[3].image, faces.sample()[3]);
  }
  Rng rng(4);
  for (std::size_t i = 45; i < 80; ++i) {
    const Id image = faces.sample()[i];
    for (std::size_t t = 0; t < 6; ++t)
      faces.place(image, t, {rng.uniform() * 177, rng.uniform() * 217});
  }
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const Alarm alarm = workbench.status(faces.project, false).alarm;
  EXPECT_TRUE(alarm.raised);
  EXPECT_GE(alarm.log10_largest, 2);
}

TEST(Workbench, TellsListenersOfProgressAndOfNewCalibrations) {
  FaceProject faces(8, 1);
  faces.label_sample(6);
  std::atomic<int> calibrations = 0;
  std::atomic<bool> embedded = false;
  std::atomic<bool> predicted = false;
  Workbench workbench = faces.open_workbench([&](const Event& event) {
    if (event.kind == Event::Kind::calibration) ++calibrations;
    if (event.kind == Event::Kind::embedding && event.done == event.total) embedded = true;
    if (event.kind == Event::Kind::prediction && event.done == event.total) predicted = true;
  });
  workbench.changed(faces.project);
  EXPECT_TRUE(eventually([&] { return embedded && predicted && calibrations > 0; }));
  const int before = calibrations;
  faces.place(faces.sample()[1], 0, {5, 5});
  workbench.changed(faces.project, faces.sample()[1]);
  EXPECT_TRUE(eventually([&] { return calibrations > before; }));
}

TEST(Workbench, ForgetsProjectsThatAreGone) {
  FaceProject faces(6, 1);
  faces.label_sample(5);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  faces.store.remove_project(faces.project);
  workbench.forget(faces.project);
  EXPECT_THROW((void)workbench.status(faces.project, false), Error);
}

}  // namespace
}  // namespace caos::studio
