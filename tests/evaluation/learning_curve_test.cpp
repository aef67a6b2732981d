#include <gtest/gtest.h>

#include <cmath>

#include "caos/advice.hpp"
#include "tests/evaluation/toy.hpp"

namespace {

using caos::LearningCurveOptions;
using caos::LearningCurvePoint;
using caos::Miscoverage;
using toy::Toy;

std::vector<LearningCurvePoint> curve_of(const Toy& task, LearningCurveOptions options) {
  return caos::learning_curve(task.labeled(), task.labels, options);
}

TEST(LearningCurve, TriesGrowingSubsamplesThatHoldKPlusOneExamples) {
  const auto sizes = [](const std::vector<LearningCurvePoint>& curve) {
    std::vector<std::size_t> result;
    for (const auto& point : curve) result.push_back(point.n);
    return result;
  };
  LearningCurveOptions options{.alpha = Miscoverage::parse("0.2")};
  EXPECT_EQ(sizes(curve_of(toy::make(1, 40), options)), (std::vector<std::size_t>{10, 20, 30, 36}));
  options.k = 15;
  EXPECT_EQ(sizes(curve_of(toy::make(1, 40), options)), (std::vector<std::size_t>{20, 30, 36}));
}

/// Examples on a line, scored by their distance: with more of them there are nearer references for
/// the truth, while the scores of wrong labels stay what they are.
Toy examples_on_a_line(std::size_t n) {
  Toy task = toy::make(0, n);
  caos::Rng rng(12);
  std::vector<double> place(n);
  for (double& x : place) x = rng.uniform();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t y = 0; y < task.num_labels; ++y) {
      for (std::size_t j = 0; j < n; ++j) {
        const double score =
            y == task.labels[i] ? std::abs(place[i] - place[j]) : 0.05 + 0.3 * rng.uniform();
        task.labeled_scores[(i * task.num_labels + y) * n + j] = score;
      }
    }
  }
  return task;
}

TEST(LearningCurve, FallsAsExamplesAreAdded) {
  const auto curve = curve_of(examples_on_a_line(80), {.alpha = Miscoverage::parse("0.2")});
  EXPECT_LT(curve.back().mean_set_size, 0.8 * curve.front().mean_set_size);
  for (const auto& point : curve) {
    EXPECT_GT(point.coverage, 0.75);  // 20 repeats around 0.8 or more
    EXPECT_GT(point.spread, 0);
  }
}

TEST(LearningCurve, SaysWhereAlphaIsInfeasible) {
  const auto curve = curve_of(toy::make(3, 20), {.alpha = Miscoverage::parse("0.1")});
  EXPECT_FALSE(curve.front().feasible);  // 5 examples
  EXPECT_EQ(curve.front().mean_set_size, 6);
  EXPECT_TRUE(curve.back().feasible);  // 18 examples
}

TEST(LearningCurve, DependsOnTheSeedAndNotOnThreads) {
  const Toy task = toy::make(4, 30);
  LearningCurveOptions options{.alpha = Miscoverage::parse("0.2")};
  options.threads = 1;
  const double one = curve_of(task, options)[1].mean_set_size;
  options.threads = 3;
  EXPECT_EQ(curve_of(task, options)[1].mean_set_size, one);
  options.seed = 1;
  EXPECT_NE(curve_of(task, options)[1].mean_set_size, one);
}

}  // namespace
