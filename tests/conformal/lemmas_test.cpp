// Each lemma of the paper, its corollary and what follows from them, on small tasks full of ties.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "caos/calibration.hpp"
#include "caos/full.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/rng.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::Miscoverage;
using problem::Instance;
using problem::Task;

Calibration calibrated(const Instance& instance, const Task& task) {
  return caos::calibrate(instance.own, {.k = task.k});
}

/// A permutation of 0 ... n - 1.
caos::Indices permutation(std::size_t n, std::uint64_t seed) {
  caos::Indices order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  caos::Rng(seed).shuffle(std::span(order));
  return order;
}

/// The same task with its labeled examples in another order.
Task reordered(const Task& task, const caos::Indices& order) {
  Task result = task;
  for (std::size_t i = 0; i < task.n(); ++i) {
    for (std::size_t j = 0; j < task.n(); ++j) result.own[i][j] = task.own[order[i]][order[j]];
    for (std::size_t y = 0; y < task.pools.size(); ++y) {
      result.pools[y][i] = task.pools[y][order[i]];
      result.reverse[y][i] = task.reverse[y][order[i]];
    }
  }
  return result;
}

bool is_subset(const caos::PredictionSet& inner, const caos::PredictionSet& outer) {
  return std::ranges::includes(outer, inner);
}

// Lemma 5.1: the scores do not depend on the order of the labeled examples.
RC_GTEST_PROP(Symmetry, SetsAndPValuesDoNotDependOnTheOrderOfExamples, ()) {
  const Task task = problem::arbitrary_task();
  const Task other = reordered(task, permutation(task.n(), *rc::gen::arbitrary<std::uint64_t>()));
  const Instance a(task);
  const Instance b(other);
  const Miscoverage alpha = problem::alpha(problem::percent());
  const Calibration left = calibrated(a, task);
  const Calibration right = calibrated(b, other);
  RC_ASSERT(left.predict_p(a.input()) == right.predict_p(b.input()));
  RC_ASSERT(left.threshold(alpha) == right.threshold(alpha));
  RC_ASSERT(caos::full::predict_p(left, a.input(), alpha) ==
            caos::full::predict_p(right, b.input(), alpha));
}

// Lemma 5.2: the score never grows when a reference is added.
RC_GTEST_PROP(Monotonicity, MinSumNeverGrowsWhenAReferenceIsAdded, ()) {
  const auto pool = *rc::gen::nonEmpty(rc::gen::container<oracle::Pool>(problem::score()));
  const auto k = *rc::gen::inRange<std::size_t>(1, pool.size() + 1);
  const double added = *problem::score();
  RC_ASSERT(caos::minsum(oracle::with(pool, added), k) <= caos::minsum(pool, k));
}

// Lemma 5.3, test score equivalence: the score of (x, y) is the same with and without (x, y) among
// the references, since its own reference is taken out.
RC_GTEST_PROP(ScoreComparison, TestScoresOfCaosAndFullCaosAreTheSame, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const auto scores = calibrated(instance, task).label_scores(instance.input().pools);
  for (std::size_t y = 0; y < task.pools.size(); ++y) {
    const double self_score = *problem::score();
    const oracle::Pool augmented = oracle::with(task.pools[y], self_score);
    RC_ASSERT(scores[y] == caos::minsum_without(augmented, task.k, task.n()));
  }
}

// Lemma 5.3, calibration score dominance.
RC_GTEST_PROP(ScoreComparison, FullCalibrationScoresNeverExceedThoseOfCaos, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration calibration = calibrated(instance, task);
  for (const auto& inserted : task.reverse) {
    for (std::size_t i = 0; i < task.n(); ++i) {
      RC_ASSERT(caos::full::score_with(calibration, i, inserted[i]) <= calibration.scores()[i]);
    }
  }
}

// Corollary 5.4.
RC_GTEST_PROP(SetInclusion, FullCaosIsASubsetOfCaos, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration calibration = calibrated(instance, task);
  const Miscoverage alpha = problem::alpha(problem::percent());
  RC_ASSERT(is_subset(caos::full::predict_set(calibration, instance.input(), alpha),
                      calibration.predict_set(instance.input(), alpha)));
}

RC_GTEST_PROP(SetInclusion, SetsGrowAsAlphaShrinks, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Calibration calibration = calibrated(instance, task);
  const std::size_t larger = problem::percent();
  const std::size_t smaller = *rc::gen::inRange<std::size_t>(1, larger + 1);
  const auto sets = [&](std::size_t percent) {
    return std::pair(
        calibration.predict_set(instance.input(), problem::alpha(percent)),
        caos::full::predict_set(calibration, instance.input(), problem::alpha(percent)));
  };
  RC_ASSERT(is_subset(sets(larger).first, sets(smaller).first));
  RC_ASSERT(is_subset(sets(larger).second, sets(smaller).second));
}

// With k = 1 and symmetric scores an inserted score is at least the candidate's own, so it moves no
// calibration score across it.
RC_GTEST_PROP(SetInclusion, FullCaosEqualsCaosForSymmetricScoresAndKOne, ()) {
  Task task = problem::symmetric_task();
  task.k = 1;
  const Instance instance(task);
  const Calibration calibration = calibrated(instance, task);
  const Miscoverage alpha = problem::alpha(problem::percent());
  RC_ASSERT(caos::full::predict_set(calibration, instance.input(), alpha) ==
            calibration.predict_set(instance.input(), alpha));
}

// So Full CAOS is never free of ties there: the two that are closest to each other have one score.
RC_GTEST_PROP(Ties, SymmetricScoresWithKOneAlwaysTie, ()) {
  Task task = problem::symmetric_task();
  task.k = 1;
  const Calibration calibration = calibrated(Instance(task), task);
  const auto smallest = std::ranges::min(calibration.scores());
  RC_ASSERT(std::ranges::count(calibration.scores(), smallest) >= 2);
}

}  // namespace
