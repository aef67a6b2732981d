#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "apps/studio/exchange/export_landmarks.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"
#include "tests/studio/face_project.hpp"
#include "tests/studio/workbench/working_faces.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::FaceProject;
using test::is_settled;
using testing::HasSubstr;

/// A project whose sample of 20 is labeled and whose results were not seen.
struct Labeled : FaceProject {
  explicit Labeled(std::size_t num_faces = 44, const std::vector<std::string>& subjects = {})
      : FaceProject(num_faces, 3, subjects) {
    label_sample(20);
    workbench = std::make_unique<Workbench>(store, WorkbenchOptions{.threads = 1, .rest = {}},
                                            Workbench::Listener());
    EXPECT_TRUE(is_settled(*workbench, project));
  }

  AcceptanceReport plan(const std::string& tolerance, const std::string& q,
                        Acceptance::Unit unit = Acceptance::Unit::points) {
    workbench->plan_acceptance(project, tolerance, q, unit);
    return workbench->acceptance(project);
  }
  AcceptanceReport decide() {
    workbench->decide_acceptance(project);
    return workbench->acceptance(project);
  }
  AcceptanceReport plan_and_decide(const std::string& tolerance, const std::string& q,
                                   Acceptance::Unit unit = Acceptance::Unit::points) {
    static_cast<void>(plan(tolerance, q, unit));
    return decide();
  }

  std::unique_ptr<Workbench> workbench{};
};

/// Which points are accepted, literally: the images are written into a folder and proposed for by
/// the library; p-values and Benjamini and Hochberg's procedure are spelled out.
class Oracle {
 public:
  Oracle(Labeled& faces, double tolerance, double q) : faces_(faces), tolerance_(tolerance), q_(q) {
    landmarks::LandmarkTable table;
    for (const Id id : faces.sample()) {
      landmarks::Annotation annotation{.image = write(id)};
      for (std::size_t t = 0; t < faces.landmarks.size(); ++t) {
        const vision::Point at = faces.truth[id][t];
        annotation.landmarks.push_back({names()[t], at.x, at.y});
      }
      table.annotations.push_back(annotation);
    }
    const Project project = faces.store.project(faces.project);
    const auto source = open_patch_source(
        {.backbone = "builtin",
         .embed = {.working_size = vision::WorkingSize::recorded(project.working_size)}},
        {});
    images_ = embed_annotated(*source, folder_ / "", table, "oracle", {});
    Indices references;
    for (std::size_t i = 0; i < 10; ++i) references.push_back(i);
    const EmbeddingRecord how{
        .backbone = "builtin", .identity = images_.identity, .patch_size = 16};
    const LandmarkProposer proposer(images_, references, how,
                                    {.k = project.settings.k, .threads = 1});
    for (std::size_t i = 10; i < images_.size(); ++i) {
      calibration_.push_back(
          proposer.propose(images_.patches.images[i].view(), images_.frames[i], images_.gray[i]));
    }
    for (const Id id : faces.rest()) {
      const std::vector<std::string> files = {folder_ / write(id)};
      EXPECT_TRUE(source
                      ->stream(files, in_order([&](EmbeddedImage&& image) {
                                 candidates_.emplace(id, proposer.propose(image.patches.view(),
                                                                          image.frame, image.gray));
                               }))
                      .empty());
    }
  }

  [[nodiscard]] std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const SchemeLandmark& landmark : faces_.store.scheme(faces_.project)) {
      names.push_back(landmark.name);
    }
    return names;
  }

  /// The candidates whose proposal for the landmark is accepted, with it.
  [[nodiscard]] std::map<Id, vision::Point> accepted(std::size_t t) const {
    std::map<Id, double> p_values;
    for (const auto& [id, proposed] : candidates_) {
      double count = 1;
      for (std::size_t i = 0; i < calibration_.size(); ++i) {
        const vision::Point at = calibration_[i].points[t];
        const vision::Point truth = images_.points(10 + i, t);
        const bool wrong = std::hypot(at.x - truth.x, at.y - truth.y) > tolerance_;
        if (wrong && calibration_[i].confidences[t] >= proposed.confidences[t]) ++count;
      }
      p_values[id] = count / static_cast<double>(calibration_.size() + 1);
    }
    std::vector<double> sorted;
    for (const auto& [id, p] : p_values) sorted.push_back(p);
    std::ranges::sort(sorted);
    double limit = 0;
    for (std::size_t r = 1; r <= sorted.size(); ++r) {
      const double bound = q_ * static_cast<double>(r) / static_cast<double>(sorted.size());
      if (sorted[r - 1] <= bound) limit = sorted[r - 1];
    }
    std::map<Id, vision::Point> result;
    for (const auto& [id, p] : p_values) {
      if (p <= limit) result[id] = candidates_.at(id).points[t];
    }
    return result;
  }

 private:
  std::string write(Id id) {
    const ImageRecord image = faces_.store.image(faces_.project, id);
    const std::vector<std::byte> bytes = test::bytes_at(faces_.store.path_of(image));
    std::ofstream(folder_ / image.name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return image.name;
  }

  Labeled& faces_;
  double tolerance_;
  double q_;
  caos::test::TempDir folder_;
  AnnotatedImages images_;
  std::vector<ProposedImage> calibration_;
  std::map<Id, ProposedImage> candidates_;
};

TEST(Acceptance, AcceptsWhatConformalSelectionAccepts) {
  Labeled faces;
  const AcceptanceReport decided = faces.plan_and_decide("6px", "0.3");
  ASSERT_TRUE(decided.acceptance && decided.acceptance->is_decided());
  static_cast<void>(faces.store.apply_acceptance(faces.project, "Ada"));
  Oracle oracle(faces, 6, 0.3);
  std::size_t total = 0;
  for (std::size_t t = 0; t < faces.landmarks.size(); ++t) {
    const auto expected = oracle.accepted(t);
    total += expected.size();
    EXPECT_EQ(decided.acceptance->landmarks[t].num_accepted, expected.size());
    for (const Id id : faces.rest()) {
      const Reading reading = faces.store.reading(faces.project, id);
      const auto found = std::ranges::find(reading.points, faces.landmarks[t], &Point::landmark);
      const bool is_there = found != reading.points.end();
      ASSERT_EQ(is_there, expected.contains(id));
      if (!is_there) continue;
      EXPECT_EQ(found->source, Source::automatic);
      EXPECT_NEAR(found->x, expected.at(id).x, 0.002);
      EXPECT_NEAR(found->y, expected.at(id).y, 0.002);
    }
  }
  EXPECT_GT(total, 0U);
  EXPECT_EQ(decided.acceptance->num_accepted(), total);
}

TEST(Acceptance, GuaranteesAByDesignFdrWhenNothingWasSeen) {
  Labeled faces;
  const AcceptanceReport before = faces.workbench->acceptance(faces.project);
  EXPECT_EQ(before.why_none, "");
  EXPECT_EQ(before.num_labeled, 20U);
  EXPECT_EQ(before.num_candidates, 24U);
  const AcceptanceReport decided = faces.plan_and_decide("6px", "0.3");
  EXPECT_TRUE(decided.has_guarantee) << decided.no_guarantee;
  EXPECT_TRUE(decided.by_design) << decided.assumption;
  EXPECT_THAT(decided.claim, HasSubstr("more than 6 px off"));
  EXPECT_THAT(decided.claim, HasSubstr("at most 30 %"));
  EXPECT_FALSE(faces.store.project(faces.project).integrity.results_seen_at.empty());
}

TEST(Acceptance, MarksItsPointsInTheHistory) {
  Labeled faces;
  const AcceptanceReport decided = faces.plan_and_decide("20px", "0.3", Acceptance::Unit::images);
  ASSERT_GT(decided.acceptance->num_images_accepted, 0U);
  static_cast<void>(faces.store.apply_acceptance(faces.project, "Ada"));
  std::size_t complete = 0;
  for (const Id id : faces.rest()) {
    const ImageRecord image = faces.store.image(faces.project, id);
    if (!image.complete) continue;
    ++complete;
    EXPECT_FALSE(image.seen_at.empty());
    for (const HistoryEntry& entry : faces.store.history(faces.project, id)) {
      EXPECT_EQ(entry.source, Source::automatic);
      EXPECT_EQ(entry.annotator, "Ada");
    }
  }
  EXPECT_EQ(complete, decided.acceptance->num_images_accepted);
  faces.workbench->changed(faces.project);
  EXPECT_TRUE(is_settled(*faces.workbench, faces.project));
  // They say nothing of regions.
  EXPECT_EQ(faces.workbench->status(faces.project, false).reviewed.images, 0U);
  expect_error([&] { static_cast<void>(faces.store.apply_acceptance(faces.project, "Ada")); },
               ErrorKind::invalid_input, {"no plan"});
}

TEST(Acceptance, KeepsWhatAPersonPlacedAfterTheDecision) {
  Labeled faces;
  static_cast<void>(faces.plan_and_decide("20px", "0.3"));
  const Id image = faces.rest()[0];
  faces.place(image, 0, {3, 4}, Source::correct);
  static_cast<void>(faces.store.apply_acceptance(faces.project, "Ada"));
  const Reading reading = faces.store.reading(faces.project, image);
  EXPECT_EQ(reading.points[0].x, 3);
  EXPECT_EQ(reading.points[0].source, Source::correct);
  EXPECT_TRUE(faces.workbench->acceptance(faces.project).has_guarantee);
}

TEST(Acceptance, HasNoGuaranteeOnceACandidateWasReviewedBeforeTheDecision) {
  Labeled faces;
  static_cast<void>(faces.plan("6px", "0.3"));
  faces.place(faces.rest()[0], 0, {3, 4}, Source::correct);
  const AcceptanceReport decided = faces.decide();
  EXPECT_FALSE(decided.has_guarantee);
  EXPECT_THAT(decided.no_guarantee, HasSubstr("reviewed before the decision"));
}

TEST(Acceptance, HasNoGuaranteeIfImagesWereReviewedBeforeThePlan) {
  Labeled faces;
  faces.label(faces.rest()[0], Source::correct);
  const AcceptanceReport planned = faces.plan("6px", "0.3");
  EXPECT_EQ(planned.acceptance->num_candidates, 23U);
  EXPECT_FALSE(planned.has_guarantee);
  EXPECT_THAT(planned.no_guarantee, HasSubstr("1 images were reviewed"));
}

TEST(Acceptance, HasNoGuaranteeWithAnotherToleranceAfterADecision) {
  Labeled faces(44);
  static_cast<void>(faces.plan_and_decide("6px", "0.3"));
  static_cast<void>(faces.store.discard_acceptance(faces.project));
  // All candidates were decided on, so that there is nothing left to plan for.
  EXPECT_THAT(faces.workbench->acceptance(faces.project).why_none, HasSubstr("no images are left"));
  const vision::DrawnFace face = vision::draw_face(5, 900);
  faces.store.add_image(faces.project, {.name = "late.png"}, vision::encode_png(face.image));
  faces.workbench->changed(faces.project);
  ASSERT_TRUE(is_settled(*faces.workbench, faces.project));
  const AcceptanceReport other = faces.plan("9px", "0.3");
  EXPECT_FALSE(other.has_guarantee);
  EXPECT_THAT(other.no_guarantee, HasSubstr("was decided before"));
  static_cast<void>(faces.store.discard_acceptance(faces.project));
  const AcceptanceReport same = faces.plan("6px", "0.30");
  EXPECT_TRUE(same.has_guarantee) << same.no_guarantee;
  EXPECT_FALSE(same.by_design);  // the image came after the draw, and results had been seen
  EXPECT_THAT(same.assumption, HasSubstr("added after the draw"));
}

TEST(Acceptance, MayBePlannedAgainBeforeAnyResultWasSeen) {
  Labeled faces;
  static_cast<void>(faces.plan("6px", "0.3"));
  static_cast<void>(faces.store.discard_acceptance(faces.project));
  EXPECT_TRUE(faces.plan("9px", "0.2").by_design);
}

TEST(Acceptance, IsOnTrustOnceRegionsWereSeen) {
  Labeled faces;
  static_cast<void>(faces.workbench->regions(faces.project, faces.rest()[0], false));
  const AcceptanceReport planned = faces.plan("6px", "0.3");
  EXPECT_TRUE(planned.has_guarantee);
  EXPECT_FALSE(planned.by_design);
  EXPECT_THAT(planned.assumption, HasSubstr("not chosen by regions or proposals"));
}

TEST(Acceptance, HasNoGuaranteeOnceLabelsChangedOrCandidatesWent) {
  {
    Labeled faces;
    static_cast<void>(faces.plan("6px", "0.3"));
    faces.place(faces.sample()[0], 0, {3, 4});
    faces.workbench->changed(faces.project, faces.sample()[0]);
    EXPECT_THAT(faces.decide().no_guarantee, HasSubstr("labeled examples were changed"));
  }
  Labeled faces;
  static_cast<void>(faces.plan("6px", "0.3"));
  faces.store.remove_image(faces.project, faces.rest()[0]);
  faces.workbench->changed(faces.project);
  EXPECT_THAT(faces.decide().no_guarantee, HasSubstr("candidates were changed"));
}

TEST(Acceptance, TakesOneRandomImageOfEachSubject) {
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i < 50; ++i) subjects.push_back(fmt::format("s{}", i / 2));
  Labeled faces(50, subjects);
  const AcceptanceReport planned = faces.plan("6px", "0.3");
  EXPECT_EQ(planned.acceptance->num_candidates, 5U);  // of 25 subjects 20 are labeled
  EXPECT_TRUE(planned.by_design) << planned.no_guarantee << planned.assumption;
  std::set<std::string> seen;
  for (const Id id : faces.store.planned_candidates(faces.project)) {
    EXPECT_TRUE(seen.insert(*faces.store.image(faces.project, id).subject).second);
  }
}

TEST(Acceptance, RefusesWhatCannotBePlanned) {
  Labeled faces;
  const auto refuses = [&](const std::string& tolerance, const std::string& q, const char* why) {
    expect_error([&] { static_cast<void>(faces.plan(tolerance, q)); }, ErrorKind::invalid_input,
                 {why});
  };
  refuses("6", "0.3", "6");
  refuses("6px", "2", "2");
  refuses("2mm", "0.3", "no scale");
  refuses("3%:a-b", "0.3", "a-b");
  EXPECT_TRUE(faces.store.acceptances(faces.project).empty());
  static_cast<void>(faces.plan("6px", "0.3"));
  refuses("6px", "0.3", "is open");
}

TEST(Acceptance, NeedsASampleThatIsLabeledWhole) {
  FaceProject faces(20, 2);
  Workbench workbench = faces.open_workbench();
  EXPECT_THAT(workbench.acceptance(faces.project).why_none, HasSubstr("no sample"));
  faces.store.draw_sample(faces.project, 10, 7);
  faces.label(faces.sample()[0]);
  workbench.changed(faces.project);
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_THAT(workbench.acceptance(faces.project).why_none, HasSubstr("1 of 10"));
}

}  // namespace
}  // namespace caos::studio
