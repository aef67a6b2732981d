#pragma once

#include <cstddef>

#include "caos/miscoverage.hpp"

namespace caos {

/// P(B <= x) for B ~ Beta(a, b), the regularized incomplete beta function. Requires a, b > 0.
[[nodiscard]] double beta_cdf(double x, double a, double b);

/// The smallest x with beta_cdf(x, a, b) >= p, to the last bit or so. Requires 0 <= p <= 1.
[[nodiscard]] double beta_quantile(double p, double a, double b);

/// P(exactly `successes` of `trials`) when the success probability is Beta(a, b).
[[nodiscard]] double beta_binomial_pmf(std::size_t successes, std::size_t trials, double a,
                                       double b);

/// The exact two-sided interval for a proportion from independent trials.
/// It holds the true proportion with probability at least `confidence`. Requires trials >= 1.
[[nodiscard]] Interval clopper_pearson(std::size_t successes, std::size_t trials,
                                       double confidence = 0.95);

}  // namespace caos
