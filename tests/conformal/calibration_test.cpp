#include "caos/calibration.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "caos/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::Label;
using caos::Miscoverage;
using problem::Instance;
using problem::Task;

// Hand-worked: three examples, k = 1. S = (1, 1, 2).
const oracle::Table three_examples = {{9, 1, 5}, {1, 9, 4}, {3, 2, 9}};

TEST(Calibration, LeavesEachExampleOut) {
  const Calibration calibration = caos::calibrate(problem::own_scores(three_examples), {.k = 1});
  EXPECT_EQ(std::vector(calibration.scores().begin(), calibration.scores().end()),
            (std::vector<double>{1, 1, 2}));
}

TEST(Calibration, IgnoresTheDiagonalWhateverItHolds) {
  oracle::Table own = three_examples;
  for (std::size_t i = 0; i < own.size(); ++i) own[i][i] = NAN;
  const Calibration calibration = caos::calibrate(problem::own_scores(own), {.k = 2});
  EXPECT_EQ(std::vector(calibration.scores().begin(), calibration.scores().end()),
            (std::vector<double>{6, 5, 5}));
}

TEST(Calibration, ReturnsEveryLabelWhenAlphaIsInfeasible) {
  const Calibration calibration = caos::calibrate(problem::own_scores(three_examples), {.k = 1});
  const caos::Matrix<double> pools = problem::matrix({{1e300, 1e300, 1e300}, {INFINITY, 0, 0}});
  // 1 / (n + 1) is 0.25: the smallest feasible alpha.
  EXPECT_EQ(calibration.threshold(Miscoverage::parse("0.24")), INFINITY);
  EXPECT_EQ(calibration.predict_set({.pools = pools.view()}, Miscoverage::parse("0.24")),
            (caos::PredictionSet{0, 1}));
  EXPECT_EQ(calibration.predict_set({.pools = pools.view()}, Miscoverage::parse("0.25")),
            (caos::PredictionSet{1}));
}

TEST(Calibration, ClippingTheRankUsesTheLargestScore) {
  const Calibration calibration = caos::calibrate(problem::own_scores(three_examples), {.k = 1});
  EXPECT_EQ(calibration.threshold(Miscoverage::parse("0.01"), 0, caos::RankRule::clip), 2);
}

TEST(Calibration, RefusesKOutsideOneToNMinusOne) {
  const caos::OwnScores own = problem::own_scores(three_examples);
  EXPECT_THROW(static_cast<void>(caos::calibrate(own, {.k = 0})), caos::Error);
  EXPECT_THROW(static_cast<void>(caos::calibrate(own, {.k = 3})), caos::Error);
  EXPECT_EQ(caos::calibrate(own, {.k = 2}).k(), 2U);
}

TEST(Calibration, RefusesPoolsOfAnotherNumberOfReferences) {
  const Calibration calibration = caos::calibrate(problem::own_scores(three_examples), {.k = 2});
  const caos::Matrix<double> pools = problem::matrix({{1.0}});
  EXPECT_THROW(static_cast<void>(calibration.label_scores(problem::rows_of(pools))), caos::Error);
}

RC_GTEST_PROP(Calibration, ScoresAreThoseOfTheDefinition, ()) {
  const Task task = problem::arbitrary_task();
  const Calibration calibration = caos::calibrate(Instance(task).own, {.k = task.k});
  const oracle::Pool expected = oracle::caos_scores(task.own, task.k);
  RC_ASSERT(std::ranges::equal(calibration.scores(), expected));
}

RC_GTEST_PROP(Calibration, SetsAreThoseOfAlgorithmOne, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::size_t percent = problem::percent();
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  RC_ASSERT(calibration.predict_set(instance.input(), problem::alpha(percent)) ==
            oracle::caos_set(task.own, task.pools, task.k, percent, 100));
}

RC_GTEST_PROP(Calibration, PValuesDecideTheSameSets, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::size_t percent = problem::percent();
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  const auto set = calibration.predict_set(instance.input(), problem::alpha(percent));
  const auto p_values = calibration.predict_p(instance.input());
  const oracle::Pool scores = oracle::caos_scores(task.own, task.k);
  for (Label y = 0; y < p_values.size(); ++y) {
    RC_ASSERT(p_values[y] == oracle::p_value(scores, oracle::minsum(task.pools[y], task.k)));
    // p > percent / 100 in whole numbers: p is a count over n + 1.
    const auto count = std::llround(p_values[y] * static_cast<double>(task.n() + 1));
    const bool conforms = static_cast<std::size_t>(count) * 100 > percent * (task.n() + 1);
    RC_ASSERT(std::ranges::binary_search(set, y) == conforms);
  }
}

RC_GTEST_PROP(Calibration, DoesNotDependOnTheNumberOfThreads, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration one = caos::calibrate(instance.own, {.k = task.k, .threads = 1});
  const Calibration three = caos::calibrate(instance.own, {.k = task.k, .threads = 3});
  RC_ASSERT(std::ranges::equal(one.scores(), three.scores()));
}

TEST(OwnScores, NamesTheEntryThatIsNotANumber) {
  oracle::Table own = three_examples;
  own[1][2] = NAN;
  caos::test::expect_error(
      [&] { static_cast<void>(problem::own_scores(own)); }, caos::ErrorKind::bad_format,
      {"calibration: entry (1, 2) is nan; scores must be numbers, not below -1e+300, or +inf"});
}

TEST(OwnScores, RefusesMinusInfinityAndLetsPlusInfinityPass) {
  oracle::Table own = three_examples;
  own[2][0] = INFINITY;
  EXPECT_EQ(problem::own_scores(own)(2, 0), INFINITY);
  own[2][0] = -INFINITY;
  EXPECT_THROW(problem::own_scores(own), caos::Error);
}

TEST(OwnScores, TakesTheRowOfEachExamplesOwnLabel) {
  // [2 examples, 2 labels, 2 references]
  const std::vector<float> scores = {NAN, 1, NAN, 2, 3, NAN, 4, NAN};
  const caos::ScoreTensor labeled{.rows = caos::MatrixView<const float>(scores.data(), 4, 2),
                                  .num_labels = 2};
  const std::vector<Label> labels = {1, 0};
  const caos::OwnScores own = caos::OwnScores::of_labeled(labeled, labels);
  EXPECT_EQ(own(0, 1), 2);
  EXPECT_EQ(own(1, 0), 3);
  EXPECT_EQ(own(0, 0), INFINITY);
}

TEST(OwnScores, RefusesALabelOutOfRange) {
  const std::vector<double> scores(2 * 3 * 2);
  const caos::ScoreTensor labeled{.rows = caos::MatrixView<const double>(scores.data(), 6, 2),
                                  .num_labels = 3};
  const std::vector<Label> labels = {1, 3};
  caos::test::expect_error([&] { static_cast<void>(caos::OwnScores::of_labeled(labeled, labels)); },
                           caos::ErrorKind::bad_format,
                           {"labels: entry 1 is 3; labels are 0 to 2"});
}

}  // namespace
