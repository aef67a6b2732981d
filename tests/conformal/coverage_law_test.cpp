#include "caos/coverage_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/numerics/beta.hpp"
#include "caos/rng.hpp"

namespace {

using caos::Miscoverage;

TEST(SplitCoverageLaw, HasTheMomentsOfTheBetaLaw) {
  // n = 19, alpha = 0.1: Beta(18, 2).
  const auto law = caos::split_coverage_law(19, Miscoverage::parse("0.1"));
  EXPECT_EQ(law.rank, 18U);
  EXPECT_DOUBLE_EQ(law.mean(), 0.9);
  EXPECT_NEAR(law.standard_deviation(), std::sqrt(0.9 * 0.1 / 21), 1e-15);
  EXPECT_NEAR(caos::beta_cdf(law.quantile(0.05), 18, 2), 0.05, 1e-12);
}

TEST(SplitCoverageLaw, ObservedCoverageHoldsNineInTenTestSets) {
  const auto law = caos::split_coverage_law(19, Miscoverage::parse("0.1"));
  const caos::Interval interval = law.observed_coverage(50);
  // By simulation: the rank-th smallest of n uniform scores is the coverage given the calibration.
  caos::Rng rng(1);
  int inside = 0;
  constexpr int repeats = 4000;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<double> scores(19);
    for (double& score : scores) score = rng.uniform();
    std::ranges::sort(scores);
    int covered = 0;
    for (int test = 0; test < 50; ++test) covered += rng.uniform() <= scores[17] ? 1 : 0;
    inside += covered >= interval.low * 50 && covered <= interval.high * 50 ? 1 : 0;
  }
  EXPECT_GT(inside, 0.88 * repeats);
  EXPECT_LT(inside, 0.97 * repeats);
}

TEST(SplitCoverageLaw, CoversAlwaysWhereAlphaIsInfeasible) {
  const auto law = caos::split_coverage_law(5, Miscoverage::parse("0.1"));
  EXPECT_FALSE(law.feasible);
  EXPECT_EQ(law.mean(), 1);
  EXPECT_EQ(law.quantile(0.01), 1);
  EXPECT_EQ(law.observed_coverage(10).low, 1);
}

TEST(CaosCoverageBound, IsRankOverNPlusOne) {
  EXPECT_DOUBLE_EQ(caos::caos_coverage_bound(99, Miscoverage::parse("0.1")), 0.9);
  EXPECT_DOUBLE_EQ(caos::caos_coverage_bound(40, Miscoverage::parse("0.1")), 37.0 / 41.0);
}

}  // namespace
