#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "apps/studio/workbench/workbench.hpp"
#include "caos/miscoverage.hpp"
#include "caos/rng.hpp"
#include "caos/sorted_scores.hpp"
#include "tests/studio/face_project.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::FaceProject;
using test::is_settled;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<Id> audited(FaceProject& faces, AuditRole role) {
  std::vector<Id> images;
  for (const ImageRecord& image : faces.store.images(faces.project)) {
    if (image.audit == role) images.push_back(image.id);
  }
  return images;
}

Audits audits_of(Workbench& workbench, const FaceProject& faces, bool together = false) {
  return workbench.audits(faces.project, {.together = together});
}

/// A project with an audit of 6 that is open.
struct OpenAudit {
  explicit OpenAudit(const std::vector<std::string>& subjects = {}) : faces(30, 3, subjects) {
    faces.label_sample(12);
    workbench = std::make_unique<Workbench>(faces.store, WorkbenchOptions{.threads = 1, .rest = {}},
                                            Workbench::Listener());
    EXPECT_TRUE(is_settled(*workbench, faces.project));
    workbench->begin_audit(faces.project, 6);
  }

  void label() {
    for (const Id image : audited(faces, AuditRole::open)) {
      faces.label(image);
      workbench->changed(faces.project, image);
    }
  }

  FaceProject faces;
  std::unique_ptr<Workbench> workbench{};
};

TEST(Audit, HidesRegionsUntilItIsFinished) {
  OpenAudit open;
  const std::vector<Id> images = audited(open.faces, AuditRole::open);
  ASSERT_THAT(images, SizeIs(6));
  for (const Id image : images) {
    expect_error([&] { (void)open.workbench->regions(open.faces.project, image, false); },
                 ErrorKind::invalid_input, {"belongs to the audit"});
    expect_error(
        [&] {
          (void)open.workbench->supporting_references(open.faces.project, image,
                                                      open.faces.landmarks[0], 3);
        },
        ErrorKind::invalid_input, {"without sight of regions"});
  }
  const auto queue = open.workbench->queue(open.faces.project, Miscoverage::parse("0.1"),
                                           QueueOrder::worst, false);
  EXPECT_THAT(queue, SizeIs(12));
  for (const QueueEntry& entry : queue)
    EXPECT_THAT(images, testing::Not(testing::Contains(entry.image)));
  open.workbench->note_all_seen(open.faces.project, Shown::outside_sample);
  for (const Id image : images) {
    EXPECT_EQ(open.faces.store.image(open.faces.project, image).seen_at, "");
  }
  open.label();
  open.workbench->finish_audit(open.faces.project);
  EXPECT_THAT(open.workbench->regions(open.faces.project, images[0], false).landmarks, SizeIs(3));
}

/// Whether a point lies in its landmark's region, by the counts that the page gets.
bool is_inside(const LandmarkRegion& region, const ImageRegions& image,
               const vision::Point& point) {
  const auto patch_of = [](const std::vector<double>& edges, double value) {
    return static_cast<std::size_t>(std::ranges::upper_bound(edges, value) - edges.begin()) - 1;
  };
  const std::size_t patch = patch_of(image.y, point.y) * image.columns + patch_of(image.x, point.x);
  const std::size_t rank = conformal_rank(region.n, Miscoverage::parse("0.1"));
  return conforms({.greater = static_cast<std::size_t>(region.exceeding[patch])}, region.n, rank);
}

TEST(Audit, CountsWhatLiesOutsideItsRegion) {
  OpenAudit open;
  const std::vector<Id> images = audited(open.faces, AuditRole::open);
  open.label();
  // Somewhere else, where no region reaches; and two that are not there.
  open.faces.place(images[1], 0, {1, 1});
  open.faces.place(images[2], 0, {0, 0}, Source::blind, PointState::missing);
  open.faces.place(images[3], 1, {5, 5}, Source::blind, PointState::hidden);
  open.workbench->changed(open.faces.project);
  EXPECT_EQ(audits_of(*open.workbench, open.faces).audits[0].num_labeled, 6U);
  EXPECT_TRUE(audits_of(*open.workbench, open.faces).audits[0].landmarks.empty());
  open.workbench->finish_audit(open.faces.project);
  const AuditReport report = audits_of(*open.workbench, open.faces).audits.at(0);
  ASSERT_THAT(report.landmarks, SizeIs(3));
  EXPECT_EQ(report.landmarks[0].absent, 1U);
  EXPECT_EQ(report.landmarks[1].absent, 1U);
  std::set<std::string> missed_somewhere;
  for (std::size_t t = 0; t < 3; ++t) {
    std::vector<std::string> expected;
    for (const Id image : images) {
      const bool is_absent = (t == 0 && image == images[2]) || (t == 1 && image == images[3]);
      if (is_absent) continue;
      const bool is_moved = t == 0 && image == images[1];
      const ImageRegions regions = open.workbench->regions(open.faces.project, image, false);
      const vision::Point place = is_moved ? vision::Point{1, 1} : open.faces.truth[image][t];
      if (is_inside(regions.landmarks[t], regions, place)) continue;
      expected.push_back(open.faces.store.image(open.faces.project, image).name);
      missed_somewhere.insert(expected.back());
    }
    EXPECT_THAT(report.landmarks[t].missed, testing::UnorderedElementsAreArray(expected));
    EXPECT_EQ(report.landmarks[t].misses, expected.size());
  }
  EXPECT_GE(report.landmarks[0].misses, 1U);
  EXPECT_EQ(report.images.misses, missed_somewhere.size());
  EXPECT_THAT(report.landmarks[0].statement, HasSubstr("With 95 % confidence at least"));
  EXPECT_THAT(report.landmarks[0].statement, HasSubstr("remaining 12 regions"));
  EXPECT_THAT(report.landmarks[0].statement, HasSubstr("an image without it counts"));
  EXPECT_THAT(report.assumption, HasSubstr("frozen before the audit"));
}

/// P(at least `hits` hits among m of N with K hits), from first principles.
double tail(std::size_t pool, std::size_t all_hits, std::size_t audited, std::size_t hits) {
  const auto log_factorial = [](std::size_t n) { return std::lgamma(static_cast<double>(n + 1)); };
  const auto log_choose = [&](std::size_t n, std::size_t k) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
  };
  double sum = 0;
  for (std::size_t h = hits; h <= std::min(all_hits, audited); ++h) {
    if (audited - h > pool - all_hits) continue;
    sum += std::exp(log_choose(all_hits, h) + log_choose(pool - all_hits, audited - h) -
                    log_choose(pool, audited));
  }
  return sum;
}

TEST(Audit, TheBoundIsTheFewestHitsThatTheCountDoesNotRefute) {
  for (const std::size_t misses : {0U, 1U, 3U}) {
    Audit audit{.size = 20, .population = 90, .begun_at = "x", .finished_at = "y"};
    AuditedLandmark landmark{.name = "nose"};
    for (std::size_t i = 0; i < misses; ++i) landmark.missed.push_back(std::to_string(i));
    audit.landmarks = {landmark};
    const AuditFinding finding = report_of(audit).landmarks[0];
    std::size_t least = 20 - misses;
    while (tail(90, least, 20, 20 - misses) <= 0.05) ++least;
    EXPECT_EQ(finding.remaining_hits, least - (20 - misses));
    EXPECT_DOUBLE_EQ(finding.share, static_cast<double>(finding.remaining_hits) / 70);
  }
}

TEST(Audit, ThirtyOfThirtyGiveTheShareThatTheDocumentsName) {
  const Audit audit{
      .size = 30, .population = 100'000, .finished_at = "x", .landmarks = {{.name = "nose"}}};
  EXPECT_THAT(report_of(audit).landmarks[0].percent, HasSubstr("90.4"));
  const AuditOffer offer = offers_for({.population = 100'000, .largest = 40}, 17).at(1);
  EXPECT_EQ(offer.size, 17U);
  EXPECT_THAT(offer.percents, SizeIs(3));
}

TEST(Audit, StatementsThatHoldTogetherAreWeaker) {
  Audit audit{.size = 30, .population = 300, .finished_at = "x"};
  for (int t = 0; t < 10; ++t) audit.landmarks.push_back({.name = std::to_string(t)});
  const AuditReport apart = report_of(audit);
  const AuditReport together = report_of(audit, {.together = true});
  EXPECT_GT(apart.landmarks[0].share, together.landmarks[0].share);
  // The statement about images is one of them.
  EXPECT_GT(apart.images.share, together.images.share);
  EXPECT_THAT(together.images.statement, HasSubstr("for all 11 statements together"));
  EXPECT_EQ(together.landmarks[0].share, together.images.share);
}

TEST(Audit, SaysHowManyWereBegunBefore) {
  OpenAudit open;
  open.faces.store.discard_audit(open.faces.project);
  open.workbench->begin_audit(open.faces.project, 4);
  open.label();
  open.workbench->finish_audit(open.faces.project);
  open.workbench->begin_audit(open.faces.project, 3);
  open.label();
  open.workbench->finish_audit(open.faces.project);
  const Audits all = audits_of(*open.workbench, open.faces);
  EXPECT_EQ(all.audits[0].begun_before, 0U);
  EXPECT_EQ(all.audits[1].begun_before, 1U);
  EXPECT_EQ(all.audits[2].begun_before, 2U);
  EXPECT_THAT(all.audits[1].images.statement, HasSubstr("one audit was begun before"));
  EXPECT_THAT(all.audits[2].images.statement, HasSubstr("2 audits were begun before"));
  EXPECT_THAT(all.audits[2].landmarks[0].statement, HasSubstr("for a single audit"));
}

TEST(Audit, CountsImagesThatLeftAmongTheRemainingOnes) {
  OpenAudit open;
  const std::vector<ImageRecord> images = open.faces.store.images(open.faces.project);
  const auto last =
      std::ranges::find_if(images, [](const ImageRecord& image) { return image.order == 29U; });
  open.faces.store.remove_image(open.faces.project, last->id);
  open.workbench->changed(open.faces.project);
  open.label();
  open.workbench->finish_audit(open.faces.project);
  const AuditReport report = audits_of(*open.workbench, open.faces).audits.at(0);
  EXPECT_EQ(report.audit.population, 18U);
  EXPECT_THAT(report.landmarks[0].statement, HasSubstr("remaining 12 regions"));
  EXPECT_THAT(report.assumption, HasSubstr("1 image of the pool that was removed"));
}

TEST(Audit, IsVoidWhileTheCalibrationIsAnother) {
  OpenAudit open;
  open.label();
  const auto why = [&] { return audits_of(*open.workbench, open.faces).audits[0].why_void; };
  EXPECT_EQ(why(), "");
  const Id image = open.faces.sample()[3];
  const vision::Point place = open.faces.truth[image][1];
  open.faces.place(image, 1, {place.x + 20, place.y});
  open.workbench->changed(open.faces.project, image);
  EXPECT_THAT(why(), HasSubstr("the calibration changed"));
  expect_error([&] { open.workbench->finish_audit(open.faces.project); }, ErrorKind::invalid_input,
               {"the calibration changed"});
  open.faces.place(image, 1, place);
  open.workbench->changed(open.faces.project, image);
  EXPECT_EQ(why(), "");
  open.workbench->finish_audit(open.faces.project);
  Settings settings = open.faces.store.project(open.faces.project).settings;
  settings.alpha = "0.2";
  open.faces.store.change_settings(open.faces.project, settings, true);
  open.workbench->changed(open.faces.project);
  EXPECT_THAT(why(), HasSubstr("after the audit"));
}

TEST(Audit, ItsLabelsStayOutOfTheCalibration) {
  OpenAudit open;
  open.label();
  Settings settings = open.faces.store.project(open.faces.project).settings;
  open.workbench->finish_audit(open.faces.project);
  settings.use_corrections = true;
  open.faces.store.change_settings(open.faces.project, settings, true);
  open.workbench->changed(open.faces.project);
  ASSERT_TRUE(is_settled(*open.workbench, open.faces.project));
  const Status status = open.workbench->status(open.faces.project, false);
  EXPECT_EQ(status.n, 12U);
  EXPECT_EQ(status.num_rest, 12U);
  EXPECT_EQ(status.num_reviewed, 0U);
  EXPECT_EQ(status.reviewed.images, 0U);
}

TEST(Audit, SpeaksOfSubjectsWhereThereAreAny) {
  std::vector<std::string> subjects;
  for (int i = 0; i < 30; ++i) subjects.push_back(std::to_string(i < 24 ? i : i - 24));
  OpenAudit open(subjects);
  open.label();
  open.workbench->finish_audit(open.faces.project);
  const AuditReport report = audits_of(*open.workbench, open.faces).audits[0];
  EXPECT_EQ(report.audit.population, 12U);
  EXPECT_THAT(report.landmarks[0].statement, HasSubstr("6 subjects"));
}

TEST(Audit, NeedsRegions) {
  FaceProject faces(12, 2);
  faces.label_sample(3);  // k is 3, which needs 4
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  expect_error([&] { workbench.begin_audit(faces.project, 2); }, ErrorKind::invalid_input,
               {"no regions to audit"});
  expect_error([&] { workbench.finish_audit(faces.project); }, ErrorKind::invalid_input,
               {"no audit is open"});
}

TEST(Audit, NeedsRegionsThatWereNeverShown) {
  FaceProject faces(20, 2);
  faces.label_sample(8);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const std::vector<ImageRecord> images = faces.store.images(faces.project);
  const auto next =
      std::ranges::find_if(images, [](const ImageRecord& image) { return image.order == 10U; });
  (void)workbench.regions(faces.project, next->id, false);
  EXPECT_EQ(audits_of(workbench, faces).limits.largest, 2U);
  expect_error([&] { workbench.begin_audit(faces.project, 3); }, ErrorKind::invalid_input,
               {next->name, "before the review"});
  workbench.note_all_seen(faces.project, Shown::outside_sample);  // as exporting does
  EXPECT_THAT(audits_of(workbench, faces).limits.why_none, HasSubstr("shown or exported"));
}

/// The claim of an audit is wrong in at most 5 of 100 projects, whatever the regions are.
TEST(Audit, IsRightAsOftenAsItSays) {
  constexpr int total = 4000;
  constexpr std::size_t pool = 60;
  constexpr std::size_t size = 20;
  for (const std::size_t wrong : {3U, 8U, 20U}) {
    std::vector<AuditFinding> by_misses;
    for (std::size_t misses = 0; misses <= std::min(size, std::size_t{wrong}); ++misses) {
      Audit audit{.size = size, .population = pool, .finished_at = "x", .landmarks = {{"nose"}}};
      for (std::size_t i = 0; i < misses; ++i) {
        audit.landmarks[0].missed.push_back(std::to_string(i));
      }
      by_misses.push_back(report_of(audit).landmarks[0]);
    }
    int false_claims = 0;
    Rng rng(wrong);
    for (int i = 0; i < total; ++i) {
      std::vector<bool> is_wrong(pool);
      std::vector<std::size_t> order(pool);
      for (std::size_t j = 0; j < pool; ++j) order[j] = j;
      rng.shuffle(std::span(order));
      const auto misses = static_cast<std::size_t>(std::count_if(
          order.begin(), order.begin() + size, [&](std::size_t j) { return j < wrong; }));
      const std::size_t remaining_hits = pool - size - (wrong - misses);
      if (by_misses[misses].remaining_hits > remaining_hits) ++false_claims;
    }
    // Three standard errors of a share of 5 %.
    EXPECT_LE(false_claims, total * 0.05 + 3 * std::sqrt(total * 0.05 * 0.95)) << wrong;
  }
}

}  // namespace
}  // namespace caos::studio
