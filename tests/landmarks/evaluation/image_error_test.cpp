#include "caos/landmarks/evaluation/image_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

using Outcomes = std::vector<std::vector<Outcome>>;

/// Outcomes of all landmarks of all images, and the labels that say which are present.
struct Drawn {
  Matrix<std::int64_t> labels{};
  std::vector<std::size_t> subjects{};
  std::vector<double> weights{};
  Outcomes outcomes{};

  [[nodiscard]] ImageClusters clusters() const {
    ImageClusters images = image_clusters(labels, subjects);
    images.weights = weights;
    return images;
  }
  [[nodiscard]] std::optional<double> error() const {
    return clustered_error(cluster_deviations(outcomes, &Outcome::covered, clusters()),
                           labels.cols());
  }
};

/// Every image has every landmark; `covered(x, t)` says what became of it.
template <typename Covered>
Drawn complete(std::size_t images, std::size_t landmarks, const Covered& covered) {
  Drawn drawn{.labels = Matrix<std::int64_t>(images, landmarks, 0),
              .outcomes = Outcomes(landmarks)};
  for (std::size_t t = 0; t < landmarks; ++t) {
    for (std::size_t x = 0; x < images; ++x) {
      drawn.outcomes[t].push_back(Outcome::of_set(covered(x, t), 1));
    }
  }
  return drawn;
}

/// The mean over landmarks of their weighted means, with the weights of one cluster scaled.
double scaled_mean(const Drawn& drawn, const ImageClusters& images, std::size_t cluster,
                   double scale) {
  double sum = 0;
  for (std::size_t t = 0; t < drawn.outcomes.size(); ++t) {
    double hits = 0;
    double total = 0;
    for (std::size_t p = 0; p < drawn.outcomes[t].size(); ++p) {
      const std::size_t x = images.present[t][p];
      const double weight = images.weight(x) * (images.clusters[x] == cluster ? scale : 1);
      hits += weight * drawn.outcomes[t][p].covered;
      total += weight;
    }
    sum += hits / total;
  }
  return sum / static_cast<double>(drawn.outcomes.size());
}

/// The infinitesimal jackknife from its definition: how the mean moves with each cluster's weight.
double slow_error(const Drawn& drawn) {
  constexpr double step = 1e-5;
  const ImageClusters images = drawn.clusters();
  double squares = 0;
  for (std::size_t c = 0; c < images.num_clusters; ++c) {
    const double slope =
        (scaled_mean(drawn, images, c, 1 + step) - scaled_mean(drawn, images, c, 1 - step)) /
        (2 * step);
    squares += slope * slope;
  }
  const auto count = static_cast<double>(images.num_clusters);
  return std::sqrt(squares * count / (count - 1));
}

/// Some landmarks are missing, some subjects have several images; every landmark is somewhere.
Drawn draw_any(Rng& rng) {
  const std::size_t images = 3 + rng.below(8);
  const std::size_t landmarks = 1 + rng.below(5);
  Drawn drawn{.labels = Matrix<std::int64_t>(images, landmarks, 0),
              .outcomes = Outcomes(landmarks)};
  for (std::size_t x = 0; x < images; ++x) {
    drawn.subjects.push_back(rng.below(images));
    drawn.weights.push_back(1.0 / static_cast<double>(1 + rng.below(3)));
    for (std::size_t t = 0; t < landmarks; ++t) {
      if (x >= 2 && rng.below(3) == 0) drawn.labels(x, t) = missing_label;
      if (drawn.labels(x, t) == missing_label) continue;
      drawn.outcomes[t].push_back(Outcome::of_set(rng.below(3) > 0, 1 + rng.below(2)));
    }
  }
  drawn.subjects[1] = drawn.subjects[0] + images;  // at least two
  return drawn;
}

// Where all landmarks of an image are hit or missed together, they say as much as one.
TEST(ImageError, OfPerfectlyDependentLandmarksIsThatOfOne) {
  constexpr std::size_t landmarks = 16;
  Rng rng(3);
  std::vector<bool> hit;
  for (int x = 0; x < 40; ++x) hit.push_back(rng.below(10) > 0);
  const Drawn drawn = complete(
      hit.size(), landmarks, [&](std::size_t x, std::size_t) { return static_cast<bool>(hit[x]); });
  std::vector<double> means(hit.begin(), hit.end());
  const double expected = *mean_with_error(means).standard_error;
  ASSERT_GT(expected, 0.02);
  EXPECT_NEAR(*drawn.error(), expected, 1e-12);

  // Landmark by landmark as if they were independent, it is too small by the root of their number.
  std::vector<double> all;
  std::vector<Evaluation> evaluations;
  for (const auto& outcomes : drawn.outcomes) {
    for (const Outcome& outcome : outcomes) all.push_back(outcome.covered);
    evaluations.push_back(summarize(outcomes));
  }
  EXPECT_NEAR(*mean_with_error(all).standard_error * std::sqrt(landmarks), expected,
              0.02 * expected);
  // That over landmarks, which versions up to 0.1.0 printed, is nothing at all.
  const TaskSummary old = summarize_tasks(evaluations);
  EXPECT_LT(*old.coverage.standard_error, 1e-12);
  const TaskSummary summary = with_image_errors(old, drawn.outcomes, drawn.clusters());
  EXPECT_NEAR(*summary.coverage.standard_error, expected, 1e-12);
  EXPECT_EQ(summary.coverage.mean, old.coverage.mean);
  EXPECT_FALSE(summary.median_set_size.standard_error);
}

TEST(ImageError, OfCompleteImagesIsThatOfTheirMeans) {
  Rng rng(5);
  const Drawn drawn = complete(30, 7, [&](std::size_t, std::size_t) { return rng.below(4) > 0; });
  std::vector<double> means(30, 0.0);
  for (const auto& outcomes : drawn.outcomes) {
    for (std::size_t x = 0; x < 30; ++x) means[x] += outcomes[x].covered / 7;
  }
  EXPECT_NEAR(*drawn.error(), *mean_with_error(means).standard_error, 1e-12);
}

RC_GTEST_PROP(ImageError, IsTheInfinitesimalJackknife, ()) {
  Rng rng(*rc::gen::arbitrary<std::uint32_t>());
  const Drawn drawn = draw_any(rng);
  RC_ASSERT(std::abs(*drawn.error() - slow_error(drawn)) < 1e-6);
}

// 2000 draws of 30 images whose landmarks depend on how hard the image is; some are missing.
TEST(ImageError, IsTheSpreadOverDrawsOfImages) {
  constexpr std::size_t landmarks = 12;
  Rng rng(7);
  std::vector<double> means;
  double squared_error = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Drawn drawn{.labels = Matrix<std::int64_t>(30, landmarks, 0), .outcomes = Outcomes(landmarks)};
    for (std::size_t x = 0; x < 30; ++x) {
      const double chance = rng.below(5) == 0 ? 0.3 : 0.95;
      for (std::size_t t = 0; t < landmarks; ++t) {
        if (rng.below(6) == 0) drawn.labels(x, t) = missing_label;
        if (drawn.labels(x, t) == missing_label) continue;
        drawn.outcomes[t].push_back(Outcome::of_set(rng.uniform() < chance, 1));
      }
    }
    means.push_back(scaled_mean(drawn, drawn.clusters(), 0, 1));
    squared_error += *drawn.error() * *drawn.error() / 2000;
  }
  const double spread = *mean_with_error(means).standard_error * std::sqrt(2000.0);
  EXPECT_NEAR(std::sqrt(squared_error) / spread, 1, 0.08);
}

TEST(ImageError, TakesImagesOfASubjectTogether) {
  Drawn drawn = complete(6, 2, [](std::size_t x, std::size_t) { return x < 3; });
  EXPECT_STREQ(drawn.clusters().name(), "images");
  EXPECT_EQ(drawn.clusters().num_clusters, 6U);
  const double apart = *drawn.error();
  drawn.subjects = {4, 4, 4, 9, 9, 9};
  EXPECT_STREQ(drawn.clusters().name(), "subjects");
  EXPECT_EQ(drawn.clusters().num_clusters, 2U);
  EXPECT_NEAR(*drawn.error(), 0.5, 1e-12);  // of two subjects with means 1 and 0
  EXPECT_LT(apart, 0.3);
}

TEST(ImageError, LeavesOutImagesWithoutLandmarksAndNeedsTwo) {
  Drawn drawn = complete(1, 3, [](std::size_t, std::size_t) { return true; });
  EXPECT_FALSE(drawn.error());
  drawn = complete(3, 2, [](std::size_t x, std::size_t) { return x > 0; });
  drawn.labels(2, 0) = drawn.labels(2, 1) = missing_label;
  for (auto& outcomes : drawn.outcomes) outcomes.pop_back();
  EXPECT_EQ(drawn.clusters().num_clusters, 2U);
  EXPECT_NEAR(*drawn.error(), 0.5, 1e-12);
  EXPECT_FALSE(clustered_error(Matrix<double>(), 0));
}

}  // namespace
}  // namespace caos
