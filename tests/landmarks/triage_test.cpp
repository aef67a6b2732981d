#include "caos/landmarks/triage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/miscoverage.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Order = std::vector<std::size_t>;

/// The rules one after another, as the documents state them.
bool is_checked_before(const LandmarkConformity& a, const LandmarkConformity& b) {
  if ((a.set_size == 0) != (b.set_size == 0)) return a.set_size == 0;
  if (a.p_value != b.p_value) return a.p_value < b.p_value;
  if (a.score_over_threshold != b.score_over_threshold) {
    return a.score_over_threshold > b.score_over_threshold;
  }
  return a.set_size > b.set_size;
}

/// Repeatedly takes the first item that no other one precedes.
template <typename Items, typename Before>
Order slow_order(const Items& items, const Before& before) {
  Order order;
  std::vector<bool> taken(items.size());
  while (order.size() < items.size()) {
    std::size_t best = items.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (taken[i]) continue;
      if (best == items.size() || before(items[i], items[best])) best = i;
    }
    taken[best] = true;
    order.push_back(best);
  }
  return order;
}

/// Few different values, so that most comparisons are ties.
LandmarkConformity drawn_with_ties() {
  return {.set_size = *rc::gen::inRange<std::size_t>(0, 3),
          .p_value = *rc::gen::inRange(1, 4) / 3.0,
          .score_over_threshold = *rc::gen::element(0.0, 0.5, 1.0, 2.0, infinity)};
}

TEST(Triage, PutsEmptyRegionsFirst) {
  const std::vector<LandmarkConformity> landmarks = {
      {.set_size = 40, .p_value = 0.2, .score_over_threshold = 0.9},
      {.set_size = 0, .p_value = 0.1, .score_over_threshold = 1.1},
      {.set_size = 1, .p_value = 0.9, .score_over_threshold = 0.2}};
  EXPECT_EQ(review_order(landmarks), (Order{1, 0, 2}));
}

TEST(Triage, BreaksTiesOfPValuesByTheScoreThenBySizeThenByPlace) {
  const std::vector<LandmarkConformity> landmarks = {
      {.set_size = 2, .p_value = 0.5, .score_over_threshold = 0.5},
      {.set_size = 3, .p_value = 0.5, .score_over_threshold = 0.5},
      {.set_size = 2, .p_value = 0.5, .score_over_threshold = 0.5},
      {.set_size = 1, .p_value = 0.5, .score_over_threshold = 0.7},
      {.set_size = 1, .p_value = 0.4, .score_over_threshold = 0.1}};
  EXPECT_EQ(review_order(landmarks), (Order{4, 3, 1, 0, 2}));
}

RC_GTEST_PROP(Triage, OrdersLandmarksAsTheRulesSay, ()) {
  const auto landmarks =
      *rc::gen::container<std::vector<LandmarkConformity>>(rc::gen::exec(drawn_with_ties));
  RC_ASSERT(review_order(landmarks) == slow_order(landmarks, is_checked_before));
}

RC_GTEST_PROP(Triage, OrdersImagesAsTheRulesSay, ()) {
  std::vector<ImageConformity> images;
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<LandmarkConformity> landmarks = {drawn_with_ties(), drawn_with_ties()};
    images.push_back(
        conformity_of(landmarks, *rc::gen::element<std::optional<double>>({}, 0.0, 1.0, 2.0)));
  }
  const auto strangeness = [](const ImageConformity& image) {
    if (image.mean_score_over_threshold == infinity) return infinity;
    return image.mean_score_over_threshold * image.mean_score_over_threshold *
           (image.shape_deviation ? *image.shape_deviation : 1);
  };
  const auto before = [&](const ImageConformity& a, const ImageConformity& b) {
    if (strangeness(a) != strangeness(b)) return strangeness(a) > strangeness(b);
    if (a.num_empty != b.num_empty) return a.num_empty > b.num_empty;
    if (a.mean_p_value != b.mean_p_value) return a.mean_p_value < b.mean_p_value;
    return a.mean_set_size > b.mean_set_size;
  };
  RC_ASSERT(review_order(images) == slow_order(images, before));
}

// Scores are whole numbers, so that thresholds of 0 and ties occur.
RC_GTEST_PROP(Triage, OrdersImagesWithOneLandmarkAsLandmarks, ()) {
  const auto calibration = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<Score>>(rc::gen::element(0.0, 1.0, 2.0, 3.0)));
  const SortedScores sorted(calibration);
  const auto alpha = Miscoverage::parse(*rc::gen::element<std::string>("0.1", "0.3", "0.5"));
  const std::size_t rank = deciding_rank(calibration.size(), alpha, RankRule::every_label);
  const std::size_t clipped = deciding_rank(calibration.size(), alpha, RankRule::clip);
  std::vector<Score> ascending = calibration;
  std::ranges::sort(ascending);
  std::vector<LandmarkConformity> landmarks;
  std::vector<ImageConformity> images;
  for (int i = 0; i < 10; ++i) {
    const Score score = *rc::gen::element(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
    const Exceedances exceeding = sorted.exceedances(score);
    landmarks.push_back(
        {.set_size = conforms(exceeding, calibration.size(), rank) ? std::size_t{1} : 0,
         .p_value = p_value(exceeding, calibration.size()),
         .score_over_threshold = score_over_threshold(score, ascending[clipped - 1])});
    images.push_back(conformity_of(std::span(&landmarks.back(), 1)));
  }
  RC_ASSERT(review_order(images) == review_order(landmarks));
}

TEST(Triage, DividesTheScoreByTheThreshold) {
  EXPECT_EQ(score_over_threshold(1, 4), 0.25);
  EXPECT_EQ(score_over_threshold(6, 4), 1.5);
  EXPECT_EQ(score_over_threshold(4, 4), 1);
  EXPECT_EQ(score_over_threshold(-1, 4), -0.25);
}

TEST(Triage, DefinesTheRatioForEveryThreshold) {
  EXPECT_EQ(score_over_threshold(0, 0), 1);
  EXPECT_EQ(score_over_threshold(-1, 0), 1);
  EXPECT_EQ(score_over_threshold(1e-300, 0), infinity);
  EXPECT_EQ(score_over_threshold(-2, -1), 1);
  EXPECT_EQ(score_over_threshold(-0.5, -1), infinity);
  EXPECT_EQ(score_over_threshold(7, infinity), 0);
  EXPECT_EQ(score_over_threshold(infinity, infinity), infinity);
  EXPECT_EQ(score_over_threshold(infinity, 0), infinity);
  EXPECT_EQ(score_over_threshold(infinity, 3), infinity);
}

RC_GTEST_PROP(Triage, NeverLowersTheRatioWhenTheScoreGrows, ()) {
  const auto value = [] { return *rc::gen::element(-2.0, -1.0, 0.0, 1.0, 2.0, 1e300, infinity); };
  const Score threshold = value();
  const Score small = value();
  const Score large = value();
  RC_PRE(small <= large);
  RC_ASSERT(score_over_threshold(small, threshold) <= score_over_threshold(large, threshold));
  if (small < infinity) {
    RC_ASSERT((score_over_threshold(small, threshold) <= 1) == (small <= threshold));
  }
}

TEST(Triage, CountsEmptyRegionsAndTakesMeans) {
  const std::vector<LandmarkConformity> landmarks = {
      {.set_size = 0, .p_value = 0.1, .score_over_threshold = 1.5},
      {.set_size = 3, .p_value = 0.5, .score_over_threshold = 0.5}};
  const ImageConformity image = conformity_of(landmarks);
  EXPECT_EQ(image.num_landmarks, 2U);
  EXPECT_EQ(image.num_empty, 1U);
  EXPECT_EQ(image.share_empty(), 0.5);
  EXPECT_DOUBLE_EQ(image.mean_p_value, 0.3);
  EXPECT_EQ(image.mean_score_over_threshold, 1);
  EXPECT_EQ(image.mean_set_size, 1.5);
  EXPECT_EQ(ImageConformity{}.share_empty(), 0);
}

TEST(Triage, OrdersNothing) {
  EXPECT_TRUE(review_order(std::span<const LandmarkConformity>()).empty());
  EXPECT_TRUE(review_order(std::span<const ImageConformity>()).empty());
}

}  // namespace
}  // namespace caos
