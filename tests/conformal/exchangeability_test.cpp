#include "caos/conformal/exchangeability.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

/// A task that every example has, with scores from few values.
OnlineTask tied_task(std::size_t n, Rng& rng) {
  OnlineTask task{.examples = Indices(n), .own = Matrix<Score>(n, n)};
  std::iota(task.examples.begin(), task.examples.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    for (Score& score : task.own.row(i)) score = 0.1 * static_cast<double>(rng.below(4));
  }
  return task;
}

/// Leaves out some examples of a task.
OnlineTask without_some(const OnlineTask& task, Rng& rng) {
  OnlineTask result;
  for (const std::size_t i : task.examples) {
    if (rng.below(3) > 0) result.examples.push_back(i);
  }
  result.own = Matrix<Score>(result.examples.size(), result.examples.size());
  for (std::size_t a = 0; a < result.examples.size(); ++a) {
    for (std::size_t b = 0; b < result.examples.size(); ++b) {
      result.own(a, b) = task.own(result.examples[a], result.examples[b]);
    }
  }
  return result;
}

/// The definition, written out: the score of example i among the first m, or nothing.
std::optional<Score> slow_score(const std::vector<OnlineTask>& tasks, std::size_t i, std::size_t m,
                                std::size_t k) {
  std::optional<Score> largest;
  for (const OnlineTask& task : tasks) {
    const auto found = std::ranges::find(task.examples, i);
    if (found == task.examples.end()) continue;
    std::vector<Score> pool;
    for (std::size_t j = 0; j < task.examples.size(); ++j) {
      if (task.examples[j] == i || task.examples[j] >= m) continue;
      pool.push_back(task.own(static_cast<std::size_t>(found - task.examples.begin()), j));
    }
    std::ranges::sort(pool);
    if (pool.size() > k) pool.resize(k);
    const Score sum = std::accumulate(pool.begin(), pool.end(), 0.0);
    largest = largest ? std::max(*largest, sum) : sum;
  }
  return largest;
}

RC_GTEST_PROP(OnlinePValues, AreThoseOfTheDefinition, (std::uint64_t seed)) {
  Rng rng(seed);
  const std::size_t n = 1 + rng.below(9);
  const std::size_t k = 1 + rng.below(4);
  std::vector<OnlineTask> tasks;
  for (std::size_t t = 0; t < 1 + rng.below(3); ++t) {
    tasks.push_back(without_some(tied_task(n, rng), rng));
  }
  const auto found = online_p_values(tasks, n, k, seed);
  std::size_t next = 0;
  for (std::size_t newest = 0; newest < n; ++newest) {
    const auto score = slow_score(tasks, newest, newest + 1, k);
    if (!score) continue;
    double greater = 0;
    double equal = 0;
    double present = 0;
    for (std::size_t i = 0; i <= newest; ++i) {
      const auto other = slow_score(tasks, i, newest + 1, k);
      if (!other) continue;
      ++present;
      greater += *other > *score ? 1 : 0;
      equal += *other == *score ? 1 : 0;
    }
    const double u = 1 - Rng::stream(seed, newest).uniform();
    RC_ASSERT(next < found.size());
    RC_ASSERT(found[next].example == newest);
    RC_ASSERT(std::abs(found[next].p - (greater + u * equal) / present) < 1e-12);
    RC_ASSERT(found[next].p > 0 && found[next].p <= 1);
    ++next;
  }
  RC_ASSERT(next == found.size());
}

/// Scores of points on a line: exchangeable if the points are.
OnlineTask distances(const std::vector<double>& points) {
  OnlineTask task{.examples = Indices(points.size()),
                  .own = Matrix<Score>(points.size(), points.size())};
  std::iota(task.examples.begin(), task.examples.end(), std::size_t{0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      task.own(i, j) = std::abs(points[i] - points[j]);
    }
  }
  return task;
}

TEST(OnlinePValues, AreUniformAndIndependentWhereExamplesAreExchangeable) {
  // Few values, so that ties decide; the last three p-values in cells of a cube.
  constexpr std::size_t runs = 20000;
  constexpr std::size_t cells = 3;
  std::vector<double> counts(cells * cells * cells);
  for (std::size_t run = 0; run < runs; ++run) {
    Rng rng(run);
    std::vector<double> points(8);
    for (double& point : points) point = static_cast<double>(rng.below(5));
    const auto p_values = online_p_values({distances(points)}, points.size(), 2, run + 1000003);
    std::size_t cell = 0;
    for (std::size_t i = 5; i < 8; ++i) {
      cell = cell * cells + std::min(cells - 1, static_cast<std::size_t>(p_values[i].p * cells));
    }
    ++counts[cell];
  }
  const double expected = static_cast<double>(runs) / static_cast<double>(counts.size());
  double chi_square = 0;
  for (const double count : counts)
    chi_square += (count - expected) * (count - expected) / expected;
  // 26 degrees of freedom: beyond 61.7 one time in ten thousand.
  EXPECT_LT(chi_square, 61.7);
}

TEST(Martingale, ReachesAHundredAtMostOnceInAHundredWhereExamplesAreExchangeable) {
  constexpr std::size_t runs = 4000;
  std::size_t alarms = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    Rng rng(run + 77);
    ExchangeabilityMartingale martingale;
    for (std::size_t i = 0; i < 200; ++i) martingale.add(1 - rng.uniform());
    if (martingale.log10_largest() >= 2) ++alarms;
  }
  EXPECT_LE(alarms, runs / 100);
}

TEST(Martingale, KeepsItsWealthOnAverage) {
  // One bet on one p-value: the integral of the mixture over (0, 1] is 1.
  constexpr std::size_t steps = 2'000'000;
  double sum = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    ExchangeabilityMartingale martingale;
    martingale.add((static_cast<double>(i) + 0.5) / steps);
    sum += std::pow(10, martingale.log10_wealth());
  }
  EXPECT_NEAR(sum / steps, 1, 0.04);  // the midpoint rule misses some of the steepest bet at 0
}

TEST(Martingale, RaisesTheAlarmWhenLaterExamplesAreOfAnotherKind) {
  Rng rng(5);
  std::vector<double> points;
  for (std::size_t i = 0; i < 40; ++i) points.push_back(rng.uniform());
  for (std::size_t i = 0; i < 20; ++i) points.push_back(10 + 20 * rng.uniform());
  ExchangeabilityMartingale martingale;
  for (const OnlinePValue& value : online_p_values({distances(points)}, points.size(), 3, 9)) {
    martingale.add(value.p);
  }
  EXPECT_GE(martingale.log10_largest(), 2);
}

TEST(Martingale, RemembersItsLargestWealth) {
  ExchangeabilityMartingale martingale;
  martingale.add(0.001);
  const double high = martingale.log10_wealth();
  EXPECT_GT(high, 0);
  for (int i = 0; i < 20; ++i) martingale.add(1);
  EXPECT_LT(martingale.log10_wealth(), high);
  EXPECT_EQ(martingale.log10_largest(), high);
}

TEST(OnlinePValues, RefuseTablesThatDoNotFit) {
  test::expect_error(
      [] {
        (void)online_p_values({{.examples = {0, 1}, .own = Matrix<Score>(1, 2)}}, 2, 1, 0);
      },
      ErrorKind::invalid_input, {"one row and one column"});
  test::expect_error(
      [] {
        (void)online_p_values({{.examples = {1, 0}, .own = Matrix<Score>(2, 2)}}, 2, 1, 0);
      },
      ErrorKind::invalid_input, {"ascending"});
}

}  // namespace
}  // namespace caos
