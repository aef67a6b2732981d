#include "caos/numerics/beta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

double choose(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    result *= static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return result;
}

/// P(Binomial(n, p) >= k) by adding its terms.
double binomial_upper_tail(std::size_t n, std::size_t k, double p) {
  double sum = 0;
  for (std::size_t i = k; i <= n; ++i) {
    sum += choose(n, i) * std::pow(p, static_cast<double>(i)) *
           std::pow(1 - p, static_cast<double>(n - i));
  }
  return sum;
}

// P(Beta(k, n - k + 1) <= p) = P(Binomial(n, p) >= k)
TEST(BetaCdf, IsTheUpperTailOfABinomial) {
  for (const std::size_t n : {1U, 2U, 7U, 30U}) {
    for (std::size_t k = 1; k <= n; ++k) {
      for (const double p : {0.001, 0.1, 0.5, 0.9, 0.999}) {
        const double a = static_cast<double>(k);
        const double b = static_cast<double>(n - k + 1);
        EXPECT_NEAR(caos::beta_cdf(p, a, b), binomial_upper_tail(n, k, p), 1e-12);
      }
    }
  }
}

TEST(BetaCdf, ReachesZeroAndOne) {
  EXPECT_EQ(caos::beta_cdf(0, 2, 3), 0);
  EXPECT_EQ(caos::beta_cdf(1, 2, 3), 1);
}

TEST(BetaCdf, IsAccurateForLargeParameters) {
  // The median of a symmetric law is one half.
  EXPECT_NEAR(caos::beta_cdf(0.5, 5000, 5000), 0.5, 1e-9);
  EXPECT_NEAR(caos::beta_cdf(0.9, 9000, 1001), 0.5, 0.01);
}

TEST(BetaQuantile, InvertsTheCdf) {
  for (const double p : {0.0001, 0.05, 0.5, 0.95, 0.9999}) {
    EXPECT_NEAR(caos::beta_cdf(caos::beta_quantile(p, 18, 2), 18, 2), p, 1e-12);
  }
}

TEST(BetaBinomial, SumsToOneWithTheRightMean) {
  double total = 0;
  double mean = 0;
  for (std::size_t count = 0; count <= 25; ++count) {
    const double p = caos::beta_binomial_pmf(count, 25, 18, 2);
    total += p;
    mean += p * static_cast<double>(count);
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(mean, 25 * 0.9, 1e-11);
}

TEST(ClopperPearson, LeavesTwoAndAHalfPercentInEachTail) {
  for (const std::size_t trials : {1U, 5U, 40U}) {
    for (std::size_t hits = 0; hits <= trials; ++hits) {
      const caos::Interval interval = caos::clopper_pearson(hits, trials);
      if (hits == 0) {
        EXPECT_EQ(interval.low, 0);
      } else {
        EXPECT_NEAR(binomial_upper_tail(trials, hits, interval.low), 0.025, 1e-9);
      }
      if (hits == trials) {
        EXPECT_EQ(interval.high, 1);
      } else {
        EXPECT_NEAR(1 - binomial_upper_tail(trials, hits + 1, interval.high), 0.025, 1e-9);
      }
    }
  }
}

}  // namespace
