#include "caos/numerics/beta.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace caos {
namespace {

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// The continued fraction of the incomplete beta function by Lentz's method; it converges fast
/// where x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  constexpr int max_terms = 100'000;
  const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= max_terms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

}  // namespace

double beta_cdf(double x, double a, double b) {
  assert(a > 0 && b > 0);
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_cdf(1 - x, b, a);
  const double log_front = a * std::log(x) + b * std::log1p(-x) - log_beta(a, b);
  return std::exp(log_front) * beta_fraction(x, a, b) / a;
}

double beta_quantile(double p, double a, double b) {
  // Bisection: about 60 evaluations, no failure modes, and nobody waits for it.
  double low = 0;
  double high = 1;
  for (int step = 0; step < 64; ++step) {
    const double middle = low + (high - low) / 2;
    (beta_cdf(middle, a, b) < p ? low : high) = middle;
  }
  return high;
}

double beta_binomial_pmf(std::size_t successes, std::size_t trials, double a, double b) {
  const auto k = static_cast<double>(successes);
  const auto m = static_cast<double>(trials);
  return std::exp(log_choose(m, k) + log_beta(k + a, m - k + b) - log_beta(a, b));
}

namespace {

Interval compute_clopper_pearson(std::size_t successes, std::size_t trials, double confidence) {
  const double tail = (1 - confidence) / 2;
  const auto k = static_cast<double>(successes);
  const auto m = static_cast<double>(trials);
  Interval interval;
  if (successes > 0) interval.low = beta_quantile(tail, k, m - k + 1);
  if (successes < trials) interval.high = beta_quantile(1 - tail, k + 1, m - k);
  return interval;
}

}  // namespace

Interval clopper_pearson(std::size_t successes, std::size_t trials, double confidence) {
  assert(trials >= 1 && successes <= trials);
  // Evaluating many landmarks asks for the same few intervals again and again.
  using Question = std::tuple<std::size_t, std::size_t, double>;
  constexpr std::size_t most = 10'000;
  thread_local std::map<Question, Interval> known;
  const Question question(successes, trials, confidence);
  if (const auto found = known.find(question); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  return known[question] = compute_clopper_pearson(successes, trials, confidence);
}

}  // namespace caos
