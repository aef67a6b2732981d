#include "caos/full.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <numeric>

#include "caos/error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::Label;
using problem::Instance;
using problem::Task;

// Bits, not values: the fast score must be the very number that the definition gives.
RC_GTEST_PROP(FullCaos, ScoresHaveTheBitsOfTheDefinition, ()) {
  const Task task = problem::arbitrary_task();
  const Calibration calibration = caos::calibrate(Instance(task).own, {.k = task.k});
  for (const oracle::Pool& inserted : task.reverse) {
    const oracle::Pool expected = oracle::full_scores(task.own, inserted, task.k);
    for (std::size_t i = 0; i < task.n(); ++i) {
      RC_ASSERT(std::bit_cast<std::uint64_t>(caos::full::score_with(calibration, i, inserted[i])) ==
                std::bit_cast<std::uint64_t>(expected[i]));
    }
  }
}

RC_GTEST_PROP(FullCaos, SetsAreThoseOfAlgorithmThree, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::size_t percent = problem::percent();
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  RC_ASSERT(caos::full::predict_set(calibration, instance.input(), problem::alpha(percent)) ==
            oracle::full_set(task.own, task.pools, task.reverse, task.k, percent, 100));
}

RC_GTEST_PROP(FullCaos, PValuesAreThoseOfTheDefinitionInsideTheCaosSetAndNothingOutside, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::size_t percent = problem::percent();
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  const auto p_values =
      caos::full::predict_p(calibration, instance.input(), problem::alpha(percent));
  const auto candidates = oracle::caos_set(task.own, task.pools, task.k, percent, 100);
  for (Label y = 0; y < p_values.size(); ++y) {
    RC_ASSERT(p_values[y].has_value() == std::ranges::binary_search(candidates, y));
    if (!p_values[y]) continue;
    const oracle::Pool scores = oracle::full_scores(task.own, task.reverse[y], task.k);
    RC_ASSERT(*p_values[y] == oracle::p_value(scores, oracle::minsum(task.pools[y], task.k)));
  }
}

RC_GTEST_PROP(FullCaos, CountsGreaterAndEqualApart, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  for (Label y = 0; y < task.pools.size(); ++y) {
    const double score = oracle::minsum(task.pools[y], task.k);
    const oracle::Pool scores = oracle::full_scores(task.own, task.reverse[y], task.k);
    const auto count = [&](auto compare) {
      return static_cast<std::size_t>(
          std::ranges::count_if(scores, [&](double s) { return compare(s, score); }));
    };
    const caos::Exceedances expected{.greater = count(std::greater()),
                                     .equal = count(std::equal_to())};
    RC_ASSERT(caos::full::exceedances(calibration, instance.input(), y, score) == expected);
  }
}

RC_GTEST_PROP(FullCaos, DecidesEachRankAsTheExceedancesDo, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  std::vector<std::size_t> ranks(task.n() + 1);
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  std::vector<std::uint8_t> conforming(ranks.size());
  for (Label y = 0; y < task.pools.size(); ++y) {
    const double score = oracle::minsum(task.pools[y], task.k);
    const auto e = caos::full::exceedances(calibration, instance.input(), y, score);
    caos::full::decide(calibration, instance.input(), y, score, ranks, conforming);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      RC_ASSERT((conforming[r] != 0) == caos::conforms(e, task.n(), ranks[r]));
    }
  }
}

RC_GTEST_PROP(FullCaos, ReadsFloat32ReverseScoresExactly, ()) {
  Task task = problem::arbitrary_task();
  std::vector<float> narrow;
  for (oracle::Pool& row : task.reverse) {
    for (double& value : row) {
      narrow.push_back(static_cast<float>(value));
      value = narrow.back();
    }
  }
  const Instance instance(task);
  caos::TestInput input = instance.input();
  input.reverse = caos::MatrixView<const float>(narrow.data(), task.reverse.size(), task.n());
  const caos::Miscoverage alpha = problem::alpha(problem::percent());
  const Calibration calibration = caos::calibrate(instance.own, {.k = task.k});
  RC_ASSERT(caos::full::predict_p(calibration, input, alpha) ==
            caos::full::predict_p(calibration, instance.input(), alpha));
}

TEST(FullCaos, AsksForReverseScores) {
  const oracle::Table own = {{0, 1}, {1, 0}};
  const Calibration calibration = caos::calibrate(problem::own_scores(own), {.k = 1});
  const caos::Matrix<double> pools = problem::matrix({{1, 2}});
  EXPECT_THROW(static_cast<void>(caos::full::predict_set(calibration, {.pools = pools.view()},
                                                         caos::Miscoverage::parse("0.5"))),
               caos::Error);
}

}  // namespace
