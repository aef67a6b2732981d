#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/studio/workbench/embedder.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "tests/studio/face_project.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::FaceProject;
using test::is_settled;
using testing::HasSubstr;

/// Subjects with 1, 2, 3, 1, 2, 3, ... images.
std::vector<std::string> unequal_subjects(std::size_t count) {
  std::vector<std::string> subjects;
  for (int subject = 0; subjects.size() < count; ++subject) {
    for (int i = 0; i <= subject % 3 && subjects.size() < count; ++i) {
      subjects.push_back(fmt::format("s{}", subject));
    }
  }
  return subjects;
}

struct Faces : FaceProject {
  explicit Faces(const std::string& target)
      : FaceProject(48, 2, unequal_subjects(48),
                    {.score = "cosine", .alpha = "0.2", .target = target}) {
    label_sample(12);
  }

  /// N of an image's subject, as it stands in the table of images.
  std::size_t num_images(Id image) {
    const auto subject = store.image(project, image).subject;
    const std::vector<ImageRecord> images = store.images(project);
    return static_cast<std::size_t>(std::ranges::count(images, subject, &ImageRecord::subject));
  }

  bool is_of_labeled_subject(Id image) {
    const auto subject = store.image(project, image).subject;
    return std::ranges::any_of(
        sample(), [&](Id labeled) { return store.image(project, labeled).subject == subject; });
  }
};

/// The definition, from the scores of the two kinds of regions: weights by images of subjects.
double weighted_p(Faces& faces, Id image, std::int64_t num_exceeding,
                  const std::vector<Id>& by_falling_score) {
  const double all = 48;
  double labeled = 0;
  for (const Id one : by_falling_score) labeled += static_cast<double>(faces.num_images(one));
  const auto own = static_cast<double>(faces.num_images(image));
  const double others = all - labeled - own;
  const auto weight = [&](Id one) {
    const auto size = static_cast<double>(faces.num_images(one));
    return size / (others + size);
  };
  double above = own / (others + own);
  double total = above;
  for (std::size_t i = 0; i < by_falling_score.size(); ++i) {
    total += weight(by_falling_score[i]);
    if (static_cast<std::int64_t>(i) < num_exceeding) above += weight(by_falling_score[i]);
  }
  return above / total;
}

/// Calibrating images of a landmark by falling score, from the scores of their own patches.
std::vector<Id> by_falling_score(Faces& faces, Workbench& workbench, std::size_t landmark) {
  const LandmarkModel model = workbench.model(faces.project);
  std::vector<std::pair<double, Id>> scored;
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    for (const Id id : faces.sample()) {
      if (faces.store.image(faces.project, id).name != model.images[i]) continue;
      scored.emplace_back(-model.calibrations[landmark].scores()[i], id);
    }
  }
  std::ranges::sort(scored);
  std::vector<Id> ids;
  for (const auto& [score, id] : scored) ids.push_back(id);
  return ids;
}

TEST(Target, OfAnImageWeighsSubjectsByTheirImages) {
  Faces plain("subject");
  Faces faces("image");
  Workbench plain_bench = plain.open_workbench();
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(plain_bench, plain.project));
  ASSERT_TRUE(is_settled(workbench, faces.project));
  EXPECT_TRUE(workbench.status(faces.project, false).weighted);
  EXPECT_FALSE(plain_bench.status(plain.project, false).weighted);
  std::size_t num_images = 0;
  std::set<std::size_t> sizes;
  for (const Id image : faces.rest()) {
    if (faces.is_of_labeled_subject(image)) continue;
    ++num_images;
    sizes.insert(faces.num_images(image));
    const ImageRegions counted = plain_bench.regions(plain.project, image, false);
    const ImageRegions regions = workbench.regions(faces.project, image, false);
    for (std::size_t t = 0; t < 2; ++t) {
      const LandmarkRegion& region = regions.landmarks[t];
      EXPECT_EQ(region.n, 12U);
      EXPECT_LT(region.units, std::size_t{1} << 32U);
      const std::vector<Id> order = by_falling_score(faces, workbench, t);
      for (std::size_t y = 0; y < region.exceeding.size(); ++y) {
        const double p =
            static_cast<double>(1 + region.exceeding[y]) / static_cast<double>(region.units + 1);
        EXPECT_NEAR(p, weighted_p(faces, image, counted.landmarks[t].exceeding[y], order), 1e-9);
      }
    }
  }
  EXPECT_GE(num_images, 8U);
  EXPECT_GE(sizes.size(), 2U);
}

TEST(Target, OfAnImageGivesTheRegionsOfTheProgramWithTheModel) {
  Faces faces("image");
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const LandmarkModel model = workbench.model(faces.project);
  ASSERT_EQ(model.target(), ImageTarget::image);
  Embedder embedder("builtin", nullptr);
  const EmbeddingRecord how = embedder.record(faces.store.project(faces.project));
  const auto alpha = Miscoverage::parse("0.2");
  for (const bool simultaneous : {false, true}) {
    for (const Id image : faces.rest()) {
      if (faces.is_of_labeled_subject(image)) continue;  // its references are fewer here
      const ImageRecord record = faces.store.image(faces.project, image);
      const LandmarkPredictor predictor(model,
                                        {.alpha = alpha,
                                         .simultaneous = simultaneous,
                                         .new_images = model.new_image(record.name).num_images});
      const Embedding embedding =
          embedder.embed(how, faces.store.path_of(record), record.sha256, "face");
      const auto expected =
          predictor.predict(embedding.patches->view(), padding_of(embedding.frame));
      const ImageRegions regions = workbench.regions(faces.project, image, simultaneous);
      for (std::size_t t = 0; t < 2; ++t) {
        PredictionSet set;
        const LandmarkRegion& region = regions.landmarks[t];
        const std::size_t rank = conformal_rank(region.units, alpha);
        for (Label y = 0; y < region.exceeding.size(); ++y) {
          const auto count =
              static_cast<std::size_t>(std::max<std::int64_t>(region.exceeding[y], 0));
          if (region.exceeding[y] >= 0 && conforms({.greater = count}, region.units, rank)) {
            set.push_back(y);
          }
        }
        EXPECT_EQ(set, expected[t].set);
      }
    }
  }
}

TEST(Target, QueueAndRegionsAgreeWithWeightsToo) {
  Faces faces("image");
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(is_settled(workbench, faces.project));
  const auto alpha = Miscoverage::parse("0.2");
  for (const bool simultaneous : {false, true}) {
    for (const QueueEntry& entry :
         workbench.queue(faces.project, alpha, QueueOrder::worst, simultaneous)) {
      const ImageRegions regions = workbench.regions(faces.project, entry.image, simultaneous);
      std::size_t total = 0;
      for (const LandmarkRegion& region : regions.landmarks) {
        total += conformity_of(region, alpha).set_size;
      }
      EXPECT_EQ(entry.total_size, total);
    }
  }
}

TEST(Target, IsNamedInEveryGuarantee) {
  for (const std::string target : {"subject", "image"}) {
    Faces faces(target);
    Workbench workbench = faces.open_workbench();
    ASSERT_TRUE(is_settled(workbench, faces.project));
    const ProjectGuarantee guarantee = workbench.status(faces.project, false).guarantee;
    EXPECT_THAT(guarantee.holds_for,
                HasSubstr(target == "subject" ? "a random image of a subject drawn at random"
                                              : "an image drawn at random from those of the pool"));
    // An image that came later is in no pool.
    const Id late = faces.store
                        .add_image(faces.project, {.name = "late.png", .subject = "new"},
                                   vision::encode_png(vision::draw_face(9, 99).image))
                        .id;
    workbench.changed(faces.project);
    const ProjectGuarantee of_late = workbench.regions(faces.project, late, false).guarantee;
    EXPECT_EQ(of_late.kind == ProjectGuarantee::Kind::none, target == "image") << of_late.why_none;
  }
  FaceProject plain(10, 1);
  plain.label_sample(6);
  Workbench workbench = plain.open_workbench();
  ASSERT_TRUE(is_settled(workbench, plain.project));
  EXPECT_THAT(workbench.status(plain.project, false).guarantee.holds_for,
              HasSubstr("an image drawn at random from the rest of the pool"));
}

TEST(Target, IsFixedOnceTheSampleIsDrawn) {
  Faces faces("subject");
  Settings settings = faces.store.project(faces.project).settings;
  settings.target = "image";
  expect_error([&] { faces.store.change_settings(faces.project, settings); },
               ErrorKind::invalid_input, {"fixed once the sample is drawn"});
  settings.target = "patient";
  expect_error([&] { faces.store.add_project("x", "builtin", "", settings); },
               ErrorKind::invalid_input, {"patient"});
}

}  // namespace
}  // namespace caos::studio
