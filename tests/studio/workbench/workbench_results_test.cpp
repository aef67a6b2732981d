// What may have been decided by results, and what becomes of the guarantee.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/studio/exchange/export_sets.hpp"
#include "tests/studio/workbench/working_faces.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::bytes_at;
using test::FaceProject;
using test::is_settled;
using test::Working;
using testing::HasSubstr;

TEST(Guarantee, IsNoneWhereResultsWereSeenBeforeTheDraw) {
  for (const bool is_given : {false, true}) {
    Working faces(14, {.score = "cosine", .use_corrections = true});
    for (const Id image : faces.ids) faces.label(image, Source::import);
    EXPECT_EQ(faces.guarantee().kind, ProjectGuarantee::Kind::none);
    (void)faces.workbench.queue(faces.project, Miscoverage::parse("0.1"), QueueOrder::worst, false);
    EXPECT_FALSE(faces.integrity().results_seen_at.empty());
    Settings settings = faces.store.project(faces.project).settings;
    settings.k = 1;
    settings.use_corrections = false;
    faces.store.change_settings(faces.project, settings);
    const auto draw = [&](bool confirmed) {
      if (is_given) {
        faces.store.take_labeled_as_sample(faces.project, 1, confirmed);
      } else {
        faces.store.draw_sample(faces.project, {.size = 10, .seed = 1, .confirmed = confirmed});
      }
    };
    expect_error([&] { draw(false); }, ErrorKind::invalid_input, {"new project", "confirm"});
    draw(true);
    EXPECT_EQ(faces.guarantee().kind, ProjectGuarantee::Kind::none);
    EXPECT_THAT(faces.guarantee().why_none, HasSubstr("before the sample was drawn"));
  }
}

TEST(Guarantee, LooksKeepTheirSharesWhereAlphaIsWrittenOtherwise) {
  Working faces(14);
  const std::vector<Look> looks = {{6, "0.09"}, {10, "0.01"}};
  faces.store.draw_sample(faces.project, {.looks = looks, .seed = 1});
  faces.label_first(6);
  (void)faces.guarantee();
  faces.look();
  Settings settings = faces.store.project(faces.project).settings;
  settings.alpha = "0.10";
  const Project same = faces.store.change_settings(faces.project, settings);
  EXPECT_EQ(same.sampling.looks, looks);
  EXPECT_EQ(same.integrity.retargeted_at, "");
}

TEST(Guarantee, OfAllLandmarksGoesWhenTheseChangeAfterResultsWereSeen) {
  for (const bool drops : {true, false}) {
    FaceProject faces(14, 3, {}, {.score = "cosine", .simultaneous = true});
    faces.label_sample(10);
    Workbench workbench = faces.open_workbench();
    ASSERT_TRUE(is_settled(workbench, faces.project));
    (void)workbench.regions(faces.project, faces.rest().at(0), true);
    std::vector<SchemeLandmark> scheme = faces.store.scheme(faces.project);
    scheme[0].name = "renamed";
    const auto replace = [&](bool confirmed) {
      const std::int64_t base = faces.store.project(faces.project).scheme_revision;
      return faces.store.replace_scheme(faces.project, base, scheme, true, confirmed);
    };
    EXPECT_TRUE(replace(false));  // the same landmarks
    if (drops) {
      scheme.pop_back();
    } else {
      scheme.push_back({.name = "another"});
    }
    EXPECT_TRUE(faces.store.rescheming_costs_guarantee(faces.project, scheme));
    expect_error([&] { (void)replace(false); }, ErrorKind::invalid_input, {"confirm"});
    EXPECT_FALSE(replace(true)->integrity.retargeted_at.empty());
    workbench.changed(faces.project);
    EXPECT_THAT(workbench.status(faces.project, true).guarantee.why_none, HasSubstr("target"));
  }
}

TEST(Guarantee, OfEachLandmarkIsTakenOnTrustWhenOthersGo) {
  FaceProject faces(14, 3);
  faces.label_sample(10);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  (void)workbench.regions(faces.project, faces.rest().at(0), false);
  std::vector<SchemeLandmark> scheme = faces.store.scheme(faces.project);
  scheme.pop_back();
  EXPECT_TRUE(faces.store.replace_scheme(faces.project, 1, scheme, true));
  workbench.changed(faces.project);
  const ProjectGuarantee guarantee = workbench.status(faces.project, false).guarantee;
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);  // they could come again with other points
}

TEST(Guarantee, IsTakenOnTrustWherePointsChangeWhileALandmarkIsNew) {
  Working faces(14);
  faces.label_sample(10);
  (void)faces.guarantee();
  faces.look();
  std::vector<SchemeLandmark> scheme = faces.store.scheme(faces.project);
  scheme.push_back({.name = "another"});
  EXPECT_TRUE(faces.store.replace_scheme(faces.project, 1, scheme, false));
  EXPECT_TRUE(faces.integrity().relabeled_at.empty());
  const Id image = faces.sample()[0];  // no longer complete
  faces.place(image, 0, {3, 3});
  EXPECT_FALSE(faces.integrity().relabeled_at.empty());
}

TEST(Guarantee, AtALookIsTheTargetAndNotTheShareOfTheLook) {
  Working faces(30);
  faces.store.draw_sample(faces.project, {.looks = {{20, ""}, {25, ""}}, .seed = 1});
  faces.label_first(20);
  const ProjectGuarantee guarantee = faces.guarantee();
  EXPECT_EQ(guarantee.alpha, "0.05");
  EXPECT_EQ(guarantee.guaranteed_alpha, "0.1");
  EXPECT_THAT(guarantee.holds_for, HasSubstr("look 1 of 2 at alpha 0.05"));
  EXPECT_THAT(guarantee.holds_for, HasSubstr("the guarantee is 1 - 0.1"));
  expect_error([&] { (void)export_model(faces.store, faces.workbench, faces.project); },
               ErrorKind::invalid_input, {"planned looks", "1 - 0.05", "1 - 0.1"});
  EXPECT_TRUE(faces.integrity().results_seen_at.empty());
}

TEST(Guarantee, IsTakenOnTrustInARestoredProject) {
  Working faces(14);
  faces.label_sample(10);
  ProjectSnapshot snapshot = faces.store.snapshot(faces.project);
  snapshot.made_at = "2026-01-31T12:00:00.000Z";
  faces.look();
  const auto bytes_of = [&](const std::string& sha256) {
    return bytes_at(faces.store.path_of({.sha256 = sha256}));
  };
  faces.project = faces.store.restore(snapshot, bytes_of).id;
  EXPECT_FALSE(faces.integrity().restored_at.empty());
  EXPECT_EQ(faces.integrity().backup_at, "2026-01-31T12:00:00.000Z");
  const ProjectGuarantee guarantee = faces.guarantee();
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_THAT(guarantee.assumption, HasSubstr("restored from a backup of 2026-01-31"));
  EXPECT_THAT(guarantee.assumption, HasSubstr("no results were seen"));
  // A backup of it does not launder it.
  const Project again = faces.store.restore(faces.store.snapshot(faces.project), bytes_of);
  EXPECT_EQ(again.integrity, faces.integrity());
}

TEST(Guarantee, IsTakenOnTrustOncePointsWereChangedAfterResults) {
  Working faces(14);
  faces.store.draw_sample(faces.project, 10, 1);
  faces.label_first(9);
  const Id image = faces.sample()[0];
  const vision::Point place = faces.truth[image][0];
  faces.place(image, 0, {place.x + 1, place.y});
  (void)faces.guarantee();
  faces.look();
  faces.label_first(10);                          // as planned
  faces.place(image, 0, {place.x + 1, place.y});  // the same again
  EXPECT_TRUE(faces.guarantee().by_design);
  EXPECT_TRUE(faces.integrity().relabeled_at.empty());
  faces.place(image, 0, place);
  const ProjectGuarantee guarantee = faces.guarantee();
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_THAT(guarantee.assumption, HasSubstr("changed after results had been seen"));
  EXPECT_FALSE(faces.integrity().relabeled_at.empty());
}

}  // namespace
}  // namespace caos::studio
