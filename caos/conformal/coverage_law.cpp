#include "caos/coverage_law.hpp"

#include <cmath>

#include "caos/numerics/beta.hpp"

namespace caos {
namespace {

/// The smallest count of successes whose cumulative probability reaches p.
std::size_t beta_binomial_quantile(double p, std::size_t trials, double a, double b) {
  double cumulative = 0;
  for (std::size_t count = 0; count < trials; ++count) {
    cumulative += beta_binomial_pmf(count, trials, a, b);
    if (cumulative >= p) return count;
  }
  return trials;
}

}  // namespace

double SplitCoverageLaw::mean() const {
  return static_cast<double>(rank) / static_cast<double>(n + 1);
}

double SplitCoverageLaw::standard_deviation() const {
  return std::sqrt(mean() * (1 - mean()) / static_cast<double>(n + 2));
}

double SplitCoverageLaw::quantile(double p) const {
  if (!feasible) return 1;
  return beta_quantile(p, static_cast<double>(rank), static_cast<double>(n + 1 - rank));
}

Interval SplitCoverageLaw::observed_coverage(std::size_t trials) const {
  if (!feasible) return {1, 1};
  const auto a = static_cast<double>(rank);
  const auto b = static_cast<double>(n + 1 - rank);
  const auto share = [&](double p) {
    return static_cast<double>(beta_binomial_quantile(p, trials, a, b)) /
           static_cast<double>(trials);
  };
  return {share(0.05), share(0.95)};
}

SplitCoverageLaw split_coverage_law(std::size_t n, const Miscoverage& alpha) {
  return {.n = n, .rank = conformal_rank(n, alpha), .feasible = is_feasible(n, alpha)};
}

double caos_coverage_bound(std::size_t n, const Miscoverage& alpha) {
  return split_coverage_law(n, alpha).mean();
}

}  // namespace caos
