#include <gtest/gtest.h>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "tests/landmarks/points/annotated_example.hpp"

namespace {

using caos::AnnotatedImages;
using caos::EmbeddingRecord;
using caos::LandmarkModel;
using caos::LandmarkPrediction;
using caos::LandmarkPredictor;

constexpr std::size_t num_labeled = 10;

AnnotatedImages drawn() {
  return points::Example(3, {.images = 14, .landmarks = 5, .missing = 7, .any_size = true})
      .images();
}

LandmarkModel model_of(const AnnotatedImages& images, bool refine,
                       const EmbeddingRecord& record = {}) {
  caos::Indices labeled;
  for (std::size_t i = 0; i < num_labeled; ++i) labeled.push_back(i);
  return calibrate_landmarks(select(images, labeled), record,
                             {.k = 2, .refine = refine, .threads = 1});
}

std::vector<LandmarkPrediction> predictions(const LandmarkModel& model,
                                            const AnnotatedImages& images, std::size_t i,
                                            bool pixels = true) {
  const LandmarkPredictor predictor(model, {.alpha = caos::Miscoverage::parse("0.3")});
  return predictor.predict(images.patches.images[i].view(), caos::padding_of(images.frames[i]),
                           images.frames[i].grid, pixels ? &images.gray[i] : nullptr);
}

LandmarkModel reread(const LandmarkModel& model) {
  return caos::read_landmark_model(caos::io::SafetensorsFile(
      caos::io::MappedFile::of_bytes(landmark_model_bytes(model), "bytes")));
}

TEST(RefinedModel, RefinesTheSameOnceWrittenAndRead) {
  const AnnotatedImages images = drawn();
  const LandmarkModel before = model_of(images, true);
  const LandmarkModel after = reread(before);
  for (std::size_t i = num_labeled; i < images.size(); ++i) {
    const auto a = predictions(before, images, i);
    const auto b = predictions(after, images, i);
    for (std::size_t t = 0; t < a.size(); ++t) {
      ASSERT_TRUE(a[t].refined && b[t].refined);
      EXPECT_EQ(a[t].refined->x, b[t].refined->x);
      EXPECT_EQ(a[t].refined->y, b[t].refined->y);
    }
  }
}

TEST(RefinedModel, HasTheRegionsOfAModelThatDoesNotRefine) {
  const AnnotatedImages images = drawn();
  const LandmarkModel refining = model_of(images, true);
  const LandmarkModel plain = reread(model_of(images, false));
  EXPECT_FALSE(plain.refiner);
  for (std::size_t i = num_labeled; i < images.size(); ++i) {
    const auto a = predictions(refining, images, i);
    const auto b = predictions(plain, images, i);
    const auto c = predictions(refining, images, i, false);
    for (std::size_t t = 0; t < a.size(); ++t) {
      EXPECT_TRUE(!b[t].refined && !c[t].refined);
      EXPECT_EQ(a[t].set, b[t].set);
      EXPECT_EQ(a[t].p_values, b[t].p_values);
      EXPECT_EQ(a[t].proposal, b[t].proposal);
      EXPECT_EQ(a[t].proposal_p_value, b[t].proposal_p_value);
      EXPECT_EQ(a[t].set, c[t].set);
    }
  }
}

TEST(RefinedModel, IsOfVersionThree) {
  const AnnotatedImages images = drawn();
  const EmbeddingRecord old{.precision = caos::EmbeddingPrecision::float32};
  for (const bool refine : {true, false}) {
    const caos::io::SafetensorsFile file(caos::io::MappedFile::of_bytes(
        landmark_model_bytes(model_of(images, refine, old)), "bytes"));
    EXPECT_EQ(file.metadata().at("version"), refine ? "3" : "1");
    EXPECT_EQ(file.contains("templates"), refine);
  }
}

TEST(ProposedPoint, SaysWhetherItIsInsideItsRegion) {
  const caos::vision::Frame frame{.width = 128,
                                  .height = 96,
                                  .scaled_width = 64,
                                  .scaled_height = 48,
                                  .working_width = 64,
                                  .working_height = 48,
                                  .grid = caos::vision::grid_over(64, 48, 16)};
  LandmarkPrediction prediction{.set = {1, 11}, .proposal = 1, .offset = {0.5, 0.5}};
  EXPECT_TRUE(is_inside_region(prediction, frame));
  EXPECT_EQ(proposed_point(prediction, frame).x, 48);
  prediction.refined = caos::vision::Point{3, 40};
  EXPECT_FALSE(is_inside_region(prediction, frame));
  EXPECT_EQ(proposed_point(prediction, frame).y, 80);
  prediction.refined = caos::vision::Point{64, 48};  // the very corner
  EXPECT_TRUE(is_inside_region(prediction, frame));
  EXPECT_EQ(proposed_point(prediction, frame).x, 128);
}

}  // namespace
