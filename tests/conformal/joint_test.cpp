#include "caos/joint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "caos/error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::JointCalibration;

// Hand-worked: task 0 has S = (1, 5, 2), task 1 has S = (3, missing, 1): maxima (3, 5, 2).
TEST(JointCalibration, TakesTheLargestScoreOverTheTasksAnExampleHas) {
  const JointCalibration joint(problem::matrix({{1, 5, 2}, {3, NAN, 1}}));
  EXPECT_EQ(std::vector(joint.scores().values().begin(), joint.scores().values().end()),
            (std::vector<double>{2, 3, 5}));
  EXPECT_EQ(joint.threshold(caos::Miscoverage::parse("0.5")), 3);
}

TEST(JointCalibration, LeavesOutExamplesWithoutAnyTask) {
  const JointCalibration joint(problem::matrix({{1, NAN}, {2, NAN}}));
  EXPECT_EQ(joint.size(), 1U);
}

TEST(JointCalibration, WeightsBalanceTasks) {
  const JointCalibration joint(problem::matrix({{1, 2, 3}, {10, 20, 30}}), {1.0, 0.1});
  const std::vector<double> label_scores = {2.0, 25.0};
  const auto alpha = caos::Miscoverage::parse("0.5");  // rank 2: threshold 2
  EXPECT_EQ(joint.predict_set(0, label_scores, alpha), (caos::PredictionSet{0}));
  EXPECT_EQ(joint.predict_set(1, std::vector<double>{20.0, 25.0}, alpha), (caos::PredictionSet{0}));
}

TEST(JointCalibration, GuaranteesAllTasksAtOnceUnlessTheRankWasClipped) {
  const JointCalibration joint(problem::matrix({{1, 5, 2}}));
  const auto feasible = caos::Miscoverage::parse("0.3");
  const auto infeasible = caos::Miscoverage::parse("0.1");
  EXPECT_EQ(joint.guarantee(feasible, caos::RankRule::clip).text(), "simultaneous");
  EXPECT_EQ(joint.guarantee(infeasible).text(), "simultaneous");
  EXPECT_TRUE(joint.guarantee(infeasible, caos::RankRule::clip).text().starts_with("none ("));
}

TEST(JointCalibration, RefusesWeightsThatAreNotPositive) {
  EXPECT_THROW(JointCalibration(problem::matrix({{1, 2}}), {0.0}), caos::Error);
  EXPECT_THROW(JointCalibration(problem::matrix({{1, 2}}), {1.0, 1.0}), caos::Error);
}

TEST(JointCalibration, RefusesATaskItDoesNotHaveAndInvalidScores) {
  const JointCalibration joint(problem::matrix({{1, 5, 2}}));
  const std::vector<double> label_scores = {1.0};
  EXPECT_THROW(static_cast<void>(joint.predict_p(1, label_scores)), caos::Error);
  EXPECT_THROW(JointCalibration(problem::matrix({{1, -INFINITY}})), caos::Error);
}

RC_GTEST_PROP(JointCalibration, PValuesDecideTheSameSetsAndSetsContainThoseOfOneTask, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 12);
  const oracle::Table scores = *problem::table(3, n);
  const std::size_t percent = problem::percent();
  const JointCalibration joint(problem::matrix(scores));
  const oracle::Pool labels = *rc::gen::container<oracle::Pool>(5, problem::score());
  oracle::Pool maxima;
  for (std::size_t i = 0; i < n; ++i) {
    maxima.push_back(std::max({scores[0][i], scores[1][i], scores[2][i]}));
  }
  const double q = oracle::quantile(maxima, oracle::rank(n, percent, 100));
  const auto set = joint.predict_set(1, labels, problem::alpha(percent));
  const auto p_values = joint.predict_p(1, labels);
  for (std::size_t y = 0; y < labels.size(); ++y) {
    RC_ASSERT(std::ranges::binary_search(set, y) == (labels[y] <= q));
    RC_ASSERT(p_values[y] == oracle::p_value(maxima, labels[y]));
    const double alone = oracle::quantile(scores[1], oracle::rank(n, percent, 100));
    if (labels[y] <= alone) RC_ASSERT(std::ranges::binary_search(set, y));
  }
}

}  // namespace
