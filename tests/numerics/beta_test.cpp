#include "caos/numerics/beta.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

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

// Written down once: the standard library's exp and log would give other last bits on other CPUs.
TEST(ClopperPearson, HasTheSameBitsEverywhere) {
  std::uint64_t hash = 0;
  for (std::size_t hits = 0; hits <= 60; ++hits) {
    const caos::Interval interval = caos::clopper_pearson(hits, 60);
    for (const double end : {interval.low, interval.high}) {
      hash = hash * 1099511628211U + std::bit_cast<std::uint64_t>(end);
    }
  }
  EXPECT_EQ(hash, 15813426111409861353U);
}

TEST(BetaBinomial, AgreesWithTheGammaFunctionOfTheStandardLibrary) {
  const auto log_beta = [](double a, double b) {
    return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  };
  for (const double a : {0.5, 1.0, 3.0, 18.0, 950.0}) {
    for (const double b : {0.25, 2.0, 51.0}) {
      const double exact = std::exp(std::lgamma(8) - std::lgamma(3) - std::lgamma(6) +
                                    log_beta(2 + a, 5 + b) - log_beta(a, b));
      EXPECT_NEAR(caos::beta_binomial_pmf(2, 7, a, b) / exact, 1, 1e-11) << a << " " << b;
    }
  }
}

}  // namespace
