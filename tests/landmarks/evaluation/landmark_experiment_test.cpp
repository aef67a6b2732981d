#include "caos/landmarks/evaluation/landmark_experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using testing::ElementsAre;

Matrix<float> random_patches(std::size_t rows, std::size_t cols, Rng& rng) {
  Matrix<float> patches(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    double length = 0;
    for (float& value : patches.row(r)) {
      value = static_cast<float>(rng.uniform() - 0.5);
      length += static_cast<double>(value) * static_cast<double>(value);
    }
    for (float& value : patches.row(r)) value /= static_cast<float>(std::sqrt(length));
  }
  return patches;
}

LabeledPatches random_images(std::size_t count, std::size_t num_tasks) {
  Rng rng(3);
  LabeledPatches images;
  images.labels = Matrix<std::int64_t>(count, num_tasks);
  for (std::size_t t = 0; t < num_tasks; ++t) images.tasks.push_back(std::to_string(t));
  for (std::size_t i = 0; i < count; ++i) {
    images.images.push_back(random_patches(8, 4, rng));
    for (std::int64_t& label : images.labels.row(i)) {
      label = static_cast<std::int64_t>(rng.below(8));
    }
  }
  return images;
}

LandmarkExperimentOptions options_at(const char* alpha, std::size_t k) {
  LandmarkExperimentOptions options;
  options.alphas = {Miscoverage::parse(alpha)};
  options.k = k;
  options.threads = 1;
  return options;
}

std::vector<LandmarkSplit> draw(const LabeledPatches& images, SplitSizes sizes, std::size_t count) {
  std::vector<LandmarkSplit> splits;
  for (std::size_t s = 0; s < count; ++s) splits.push_back(draw_landmark_split(images, sizes, s));
  return splits;
}

TEST(SplitFigures, HaveErrorsOverLandmarksAndOverSplits) {
  SplitFigures figures{Matrix<double>(0, 3)};
  figures.values.push_row(std::vector<double>{1, 2, 3});
  EXPECT_EQ(figures.error_over_splits(), std::nullopt);
  figures.values.push_row(std::vector<double>{3, 4, 5});
  EXPECT_DOUBLE_EQ(figures.mean(), 3);
  EXPECT_DOUBLE_EQ(figures.of_landmark(2), 4);
  EXPECT_DOUBLE_EQ(*figures.error_over_splits(), 1);
  EXPECT_DOUBLE_EQ(*figures.error_over_landmarks(), 1 / std::sqrt(3.0));
}

TEST(ThirdsBy, PutsAsManyIntoEachAsPossibleAndEarlierOnesFirstOnTies) {
  SplitFigures figures{Matrix<double>(0, 6)};
  figures.values.push_row(std::vector<double>{9, 1, 5, 5, 2, 7});
  EXPECT_THAT(thirds_by(figures), ElementsAre(2, 0, 1, 1, 0, 2));
  SplitFigures tied{Matrix<double>(1, 3, 4.0)};
  EXPECT_THAT(thirds_by(tied), ElementsAre(0, 1, 2));
}

TEST(RunLandmarkExperiment, GivesInEverySplitWhatEvaluatingItGives) {
  const LabeledPatches images = random_images(24, 2);
  const auto splits = draw(images, {12, 12}, 2);
  const LandmarkExperiment found = run_landmark_experiment(images, splits, options_at("0.2", 2));
  for (std::size_t s = 0; s < splits.size(); ++s) {
    LandmarkEvaluateOptions what;
    what.methods = {Method::scos_best, Method::caos};
    what.alphas = {Miscoverage::parse("0.2")};
    what.k = 2;
    what.partition = splits[s].partition();
    const TestPatches test{.image = [&](std::size_t x) { return images.images[splits[s].test[x]]; },
                           .labels = select(images.labels, splits[s].test)};
    const auto evaluation = evaluate_landmarks(select(images, splits[s].labeled()), test, what);
    for (const LandmarkMethodResult& one : evaluation.methods) {
      const auto* result = find_result(found.methods, one.method, one.alpha);
      ASSERT_NE(result, nullptr);
      for (std::size_t t = 0; t < 2; ++t) {
        EXPECT_EQ(result->mean_set_size.values(s, t), one.landmarks[t].evaluation->mean_set_size);
        EXPECT_EQ(result->coverage.values(s, t), one.landmarks[t].evaluation->coverage);
      }
    }
  }
}

TEST(RunLandmarkExperiment, LeavesOutLandmarksThatSomeSplitHasTooFewImagesOf) {
  LabeledPatches images = random_images(24, 3);
  for (std::size_t i = 2; i < 24; ++i) images.labels(i, 1) = missing_label;
  const LandmarkExperiment found =
      run_landmark_experiment(images, draw(images, {12, 12}, 2), options_at("0.2", 3));
  EXPECT_THAT(found.landmarks, ElementsAre(0, 2));
  EXPECT_THAT(found.left_out, ElementsAre(1));
}

TEST(RunLandmarkExperiment, CountsTheImagesThatCalibrateInEachSplit) {
  LabeledPatches images = random_images(24, 2);
  for (std::size_t i = 0; i < 9; ++i) images.labels(i, 1) = missing_label;
  for (std::size_t i = 0; i < 4; ++i) images.labels(i, 0) = missing_label;
  const auto splits = draw(images, {12, 12}, 5);
  const LandmarkExperiment found = run_landmark_experiment(images, splits, options_at("0.2", 2));
  const auto* caos = find_result(found.methods, Method::caos, Miscoverage::parse("0.2"));
  ASSERT_NE(caos, nullptr);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    std::vector<std::size_t> n(2);
    for (const std::size_t i : splits[s].labeled()) {
      for (std::size_t t = 0; t < 2; ++t) n[t] += images.labels(i, t) != missing_label;
    }
    EXPECT_EQ(caos->n_by_split[s], n);
    EXPECT_EQ(found.simultaneous.front().n[s], n[0]);  // an image without the first lacks both
  }
}

TEST(RunLandmarkExperiment, GoesThroughTheKThatThereAreImagesFor) {
  const LabeledPatches images = random_images(16, 1);
  const LandmarkExperiment found =
      run_landmark_experiment(images, draw(images, {8, 8}, 1), options_at("0.2", 3));
  ASSERT_EQ(found.ablation.size(), 7U);
  EXPECT_EQ(found.ablation.back().k, 7U);
}

TEST(RunLandmarkExperiment, HasNoSplitMethodsWhereLabeledImagesShareSubjects) {
  LabeledPatches images = random_images(24, 1);
  for (std::size_t i = 0; i < 24; ++i) images.subjects.push_back(i / 2);
  const LandmarkExperiment found =
      run_landmark_experiment(images, draw(images, {6, 6}, 1), options_at("0.2", 3));
  EXPECT_TRUE(found.by_subject);
  ASSERT_EQ(found.methods.size(), 2U);
  EXPECT_EQ(found.methods[0].n, (std::vector<std::size_t>{6})) << "one image of each subject";
}

TEST(RunLandmarkExperiment, RefusesKThatNoLandmarkHasImagesFor) {
  const LabeledPatches images = random_images(12, 1);
  test::expect_error(
      [&] {
        (void)run_landmark_experiment(images, draw(images, {6, 6}, 1), options_at("0.2", 3));
      },
      ErrorKind::invalid_input, {"k = 3"});
}

}  // namespace
}  // namespace caos
