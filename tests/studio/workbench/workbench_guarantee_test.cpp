// What happens after the draw, and what becomes of the guarantee.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "apps/studio/exchange/export_sets.hpp"
#include "tests/studio/workbench/working_faces.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::bytes_at;
using test::FaceProject;
using test::Working;
using testing::HasSubstr;

TEST(Guarantee, DoesNotComeBackWhenASampleShrinksAfterAnImageOfItWasRemoved) {
  Working faces(14);
  faces.label_sample(10);
  ASSERT_TRUE(faces.guarantee().by_design);
  faces.store.remove_image(faces.project, faces.sample()[9]);
  EXPECT_THAT(faces.guarantee().why_none, HasSubstr("removed"));
  faces.store.draw_sample(faces.project, 9, 0);
  EXPECT_THAT(faces.guarantee().why_none, HasSubstr("removed"));
  EXPECT_EQ(faces.integrity().removed, 1U);
}

TEST(Guarantee, DoesNotComeBackWhenTheImageDoesNorFromABackup) {
  Working faces(12);
  faces.label_sample(8);
  const ImageRecord gone = faces.store.image(faces.project, faces.sample()[2]);
  const auto bytes = bytes_at(faces.store.path_of(gone));
  faces.store.remove_image(faces.project, gone.id);
  faces.store.add_image(faces.project, {.name = gone.name}, bytes);
  EXPECT_THAT(faces.guarantee().why_none, HasSubstr("removed"));
  const ProjectSnapshot snapshot = faces.store.snapshot(faces.project);
  EXPECT_EQ(snapshot.project.integrity.removed, 1U);
  ProjectSnapshot forged = snapshot;
  forged.project.integrity.removed = 0;
  for (const ProjectSnapshot& one : {snapshot, forged}) {
    const Project restored = faces.store.restore(one, [&](const std::string& sha256) {
      return bytes_at(faces.store.path_of({.sha256 = sha256}));
    });
    EXPECT_EQ(restored.integrity.removed, 1U);
  }
}

TEST(Guarantee, ForAnImageOfThePoolNeedsAllOfThePool) {
  const std::vector<std::string> subjects = {"a", "a", "b", "c", "d", "e", "f", "f", "g", "h"};
  for (const std::string target : {"subject", "image"}) {
    FaceProject faces(10, 1, subjects, {.score = "cosine", .alpha = "0.3", .target = target});
    faces.label_sample(6);
    faces.store.remove_image(faces.project, faces.rest().at(0));
    const Integrity integrity = faces.store.project(faces.project).integrity;
    EXPECT_EQ(integrity.removed, target == "image" ? 1U : 0U);
  }
}

TEST(Guarantee, BeginsWhenAllOfTheSampleIsLabeled) {
  Working faces(14);
  faces.store.draw_sample(faces.project, 10, 1);
  faces.label_first(9);
  const ProjectGuarantee before = faces.guarantee();
  EXPECT_EQ(before.kind, ProjectGuarantee::Kind::none);
  EXPECT_TRUE(before.waiting);
  EXPECT_THAT(before.why_none, HasSubstr("9 of 10"));
  faces.look();  // a preview: the plan is as it was
  faces.label_first(10);
  EXPECT_TRUE(faces.guarantee().by_design);
}

TEST(Guarantee, StaysWhenTheSizeChangesBeforeResultsAreSeen) {
  Working faces(16);
  faces.store.draw_sample(faces.project, 12, 1);
  faces.label_first(9);
  EXPECT_TRUE(faces.guarantee().waiting);
  faces.store.draw_sample(faces.project, 9, 1);
  EXPECT_TRUE(faces.guarantee().by_design);
  faces.store.draw_sample(faces.project, 10, 1);
  faces.label_first(10);
  EXPECT_TRUE(faces.guarantee().by_design);
}

TEST(Guarantee, GoesWhenTheSizeChangesAfterResultsWereSeen) {
  for (const std::size_t size : {8U, 11U}) {  // stopping early, and going on
    Working faces(16);
    faces.store.draw_sample(faces.project, 10, 1);
    faces.label_first(8);
    ASSERT_TRUE(faces.guarantee().waiting);
    faces.look();
    EXPECT_FALSE(faces.integrity().results_seen_at.empty());
    EXPECT_TRUE(faces.store.resizing_costs_guarantee(faces.project, {.size = size}));
    expect_error([&] { faces.store.draw_sample(faces.project, size, 1); }, ErrorKind::invalid_input,
                 {"confirm"});
    EXPECT_FALSE(faces.store.resizing_costs_guarantee(faces.project, {.size = 10}));
    faces.store.draw_sample(faces.project, {.size = size, .confirmed = true});
    const std::string when = faces.integrity().resized_at;
    EXPECT_FALSE(when.empty());
    // No way back.
    faces.store.draw_sample(faces.project, {.size = 10, .confirmed = true});
    faces.label_first(10);
    EXPECT_THAT(faces.guarantee().why_none, HasSubstr("size of the sample"));
    EXPECT_EQ(faces.integrity().resized_at, when);
  }
}

TEST(Guarantee, CountsTheQueueAndReviewedCoverageAsResults) {
  Working faces(14);
  faces.label_sample(10);
  ASSERT_TRUE(faces.guarantee().by_design);
  EXPECT_TRUE(faces.integrity().results_seen_at.empty());
  (void)faces.workbench.queue(faces.project, Miscoverage::parse("0.1"), QueueOrder::worst, false);
  EXPECT_FALSE(faces.integrity().results_seen_at.empty());
  Working others(14);
  for (const Id image : others.ids) others.label(image, Source::import);
  others.store.draw_sample(others.project, 10, 1);
  EXPECT_TRUE(others.guarantee().by_design);
  EXPECT_FALSE(others.integrity().results_seen_at.empty());  // how many points regions contained
}

TEST(Guarantee, CountsTheOutcomeOfAnAuditAsAResult) {
  Working faces(18);
  faces.store.draw_sample(faces.project, 12, 1);
  faces.store.draw_sample(faces.project, 10, 1);
  faces.label_first(10);
  ASSERT_TRUE(faces.guarantee().by_design);
  faces.workbench.begin_audit(faces.project, 3);
  const Audit audit = faces.store.audits(faces.project).back();
  EXPECT_EQ(audit.first, 12U);  // behind all that was ever in the sample
  for (const ImageRecord& image : faces.store.images(faces.project)) {
    if (image.audit == AuditRole::open) faces.label(image.id);
  }
  EXPECT_TRUE(faces.guarantee().by_design);
  EXPECT_TRUE(faces.integrity().results_seen_at.empty());
  faces.workbench.finish_audit(faces.project);
  EXPECT_FALSE(faces.integrity().results_seen_at.empty());
}

TEST(Guarantee, GoesWhenTheTargetChangesAfterResultsWereSeen) {
  const auto other_alpha = [](Settings settings) {
    settings.alpha = "0.2";
    return settings;
  };
  const auto other_kind = [](Settings settings) {
    settings.simultaneous = true;
    return settings;
  };
  const std::vector<std::function<Settings(Settings)>> changes = {other_alpha, other_kind};
  for (const auto& change : changes) {
    Working faces(14);
    faces.label_sample(10);
    const Settings before = faces.store.project(faces.project).settings;
    faces.store.change_settings(faces.project, change(before));
    EXPECT_TRUE(faces.guarantee().by_design);
    faces.store.change_settings(faces.project, before);
    faces.look();
    Settings same = before;
    same.alpha = "0.10";
    same.mm_per_pixel = 0.5;
    EXPECT_NO_THROW(faces.store.change_settings(faces.project, same));
    EXPECT_TRUE(faces.guarantee().by_design);
    expect_error([&] { faces.store.change_settings(faces.project, change(before)); },
                 ErrorKind::invalid_input, {"confirm"});
    faces.store.change_settings(faces.project, change(before), true);
    EXPECT_THAT(faces.guarantee().why_none, HasSubstr("target was changed"));
    faces.store.change_settings(faces.project, before, true);
    EXPECT_THAT(faces.guarantee().why_none, HasSubstr("target was changed"));
  }
}

TEST(Guarantee, IsForTheKindOfTheProjectAlone) {
  Working faces(14, {.score = "cosine", .simultaneous = true});
  faces.label_sample(10);
  EXPECT_EQ(faces.guarantee().kind, ProjectGuarantee::Kind::simultaneous);
  const ProjectGuarantee other = faces.workbench.status(faces.project, false).guarantee;
  EXPECT_EQ(other.kind, ProjectGuarantee::Kind::none);
  EXPECT_THAT(other.why_none, HasSubstr("all landmarks of an image at once"));
}

TEST(Guarantee, IsTakenOnTrustWithASeedThatWasGiven) {
  Working faces(14);
  faces.store.draw_sample(faces.project, {.size = 10, .seed = 7, .seed_given = true});
  faces.label_first(10);
  const ProjectGuarantee guarantee = faces.guarantee();
  EXPECT_EQ(guarantee.kind, ProjectGuarantee::Kind::marginal);
  EXPECT_FALSE(guarantee.by_design);
  EXPECT_THAT(guarantee.assumption, HasSubstr("seed of the draw was given"));
}

TEST(Guarantee, CountsAllImagesAsSeenOnceTheModelIsExported) {
  Working faces(14);
  faces.store.draw_sample(faces.project, 10, 1);
  faces.label_first(10);
  ASSERT_TRUE(faces.guarantee().by_design);
  (void)export_model(faces.store, faces.workbench, faces.project);
  EXPECT_FALSE(faces.integrity().results_seen_at.empty());
  for (const ImageRecord& image : faces.store.images(faces.project)) {
    EXPECT_EQ(image.seen_at.empty(), image.complete) << image.name;
  }
  EXPECT_TRUE(faces.guarantee().by_design);
}

TEST(Guarantee, GoesWhereImagesOfALaterLookWereSeenBeforeTheyWereLabeled) {
  Working faces(30);
  faces.store.draw_sample(faces.project, {.looks = {{20, ""}, {25, ""}}, .seed = 1});
  faces.label_first(20);
  ASSERT_TRUE(faces.guarantee().by_design);
  const Id later = faces.sample()[22];
  faces.store.draw_sample(faces.project, 20, 1);
  ASSERT_TRUE(faces.guarantee().by_design);
  (void)faces.workbench.regions(faces.project, later, false);
  faces.store.draw_sample(faces.project, 25, 1);  // a planned size
  faces.label_first(25);
  EXPECT_THAT(faces.guarantee().why_none, HasSubstr("seen with regions"));
}

TEST(Guarantee, IsOfTheLastLookThatIsReached) {
  Working faces(30);
  faces.store.draw_sample(faces.project, {.looks = {{20, ""}, {25, ""}}, .seed = 1});
  faces.label_first(19);
  EXPECT_TRUE(faces.guarantee().waiting);
  faces.label_first(23);
  EXPECT_TRUE(faces.guarantee().by_design);
  Status status = faces.workbench.status(faces.project, false);
  EXPECT_EQ(status.guarantee.alpha, "0.05");
  EXPECT_EQ(status.n, 20U);  // those beyond wait for the next look
  EXPECT_EQ(status.rank, 20U);
  EXPECT_EQ(status.look.number, 1U);
  EXPECT_EQ(status.look.count, 2U);
  EXPECT_EQ(status.look.next, 25U);
  faces.look();
  faces.label_first(25);
  EXPECT_TRUE(faces.guarantee().by_design);
  status = faces.workbench.status(faces.project, false);
  EXPECT_EQ(status.n, 25U);
  EXPECT_EQ(status.look.number, 2U);
  EXPECT_EQ(status.look.next, std::nullopt);
}

TEST(Guarantee, StaysWhenASampleEndsAtAPlannedLook) {
  Working faces(30);
  faces.store.draw_sample(faces.project, {.looks = {{20, ""}, {25, ""}}, .seed = 1});
  faces.label_first(22);
  ASSERT_TRUE(faces.guarantee().by_design);
  faces.look();
  expect_error([&] { faces.store.draw_sample(faces.project, 22, 1); }, ErrorKind::invalid_input,
               {"confirm"});
  faces.store.draw_sample(faces.project, 20, 1);
  EXPECT_TRUE(faces.guarantee().by_design);
  EXPECT_EQ(faces.workbench.status(faces.project, false).guarantee.alpha, "0.05");
  EXPECT_EQ(faces.rest().size(), 10U);
}

TEST(Guarantee, LooksShareANewAlphaBeforeResultsAreSeen) {
  Working faces(30);
  faces.store.draw_sample(faces.project, {.looks = {{20, "0.04"}, {25, "0.06"}}, .seed = 1});
  Settings settings = faces.store.project(faces.project).settings;
  settings.alpha = "0.2";
  const Project changed = faces.store.change_settings(faces.project, settings);
  EXPECT_THAT(changed.sampling.looks, testing::ElementsAre(Look{20, "0.1"}, Look{25, "0.1"}));
}

TEST(Guarantee, OfAGivenSampleGoesWhenItIsTakenAgainAfterResults) {
  Working faces(14);
  for (std::size_t i = 0; i < 8; ++i) faces.label(faces.ids[i], Source::import);
  faces.store.take_labeled_as_sample(faces.project, 3);
  EXPECT_EQ(faces.guarantee().kind, ProjectGuarantee::Kind::marginal);
  faces.store.remove_image(faces.project, faces.sample()[0]);
  faces.store.take_labeled_as_sample(faces.project, 4);
  EXPECT_THAT(faces.guarantee().why_none, HasSubstr("removed"));
  faces.look();
  expect_error([&] { faces.store.take_labeled_as_sample(faces.project, 5); },
               ErrorKind::invalid_input, {"confirm"});
  faces.store.take_labeled_as_sample(faces.project, 5, true);
  EXPECT_FALSE(faces.integrity().resized_at.empty());
  EXPECT_EQ(faces.integrity().removed, 1U);
}

}  // namespace
}  // namespace caos::studio
