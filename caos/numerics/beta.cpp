#include "caos/numerics/beta.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "caos/kernels/exp.hpp"

namespace caos {
namespace {

// The standard library picks its exp and log by the CPU, and their last bits differ; ours do not.

double log(double x) { return kernels::log_of_positive(x); }

double exp(double x) {
  return x <= 0 ? kernels::exp_of_negative(x) : 1 / kernels::exp_of_negative(-x);
}

/// ln(1 + y) for y > -1, exact for small y too: the rounding of 1 + y cancels.
double log_of_one_plus(double y) {
  const double sum = 1 + y;
  return sum == 1 ? y : log(sum) * (y / (sum - 1));
}

/// ln Gamma(x) for x > 0: Stirling's series, from where it converges fast.
double log_gamma(double x) {
  constexpr double half_log_of_two_pi = 0.91893853320467274178;
  constexpr double enough = 15;
  double product = 1;
  for (; x < enough; ++x) product *= x;
  constexpr double series[] = {1.0 / 156,  -691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                               1.0 / 1260, -1.0 / 360,      1.0 / 12};
  const double squared = 1 / (x * x);
  double tail = 0;
  for (const double coefficient : series) tail = tail * squared + coefficient;
  return (x - 0.5) * log(x) - x + half_log_of_two_pi + tail / x - log(product);
}

double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

double log_choose(double n, double k) {
  return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
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
  const double log_front = a * log(x) + b * log_of_one_plus(-x) - log_beta(a, b);
  return exp(log_front) * beta_fraction(x, a, b) / a;
}

double beta_quantile(double p, double a, double b) {
  // Bisection: about 60 evaluations, no failure modes, and fast enough.
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
  return exp(log_choose(m, k) + log_beta(k + a, m - k + b) - log_beta(a, b));
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
