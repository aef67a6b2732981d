#include <algorithm>
#include <cstdint>

#include "caos/miscoverage.hpp"

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// floor(alpha (n + 1)): how many of n + 1 exchangeable scores may lie above the threshold.
std::size_t allowed_misses(std::size_t n, const Miscoverage& alpha) {
  const Wide scaled = static_cast<Wide>(alpha.numerator()) * (static_cast<Wide>(n) + 1);
  return static_cast<std::size_t>(scaled / power_of_ten(alpha.places()));
}

}  // namespace

std::size_t conformal_rank(std::size_t n, const Miscoverage& alpha) {
  // (n + 1) - floor(alpha (n + 1)) is the ceiling of (1 - alpha)(n + 1), since n + 1 is whole.
  return n + 1 - allowed_misses(n, alpha);
}

std::size_t deciding_rank(std::size_t n, const Miscoverage& alpha, RankRule rule) {
  const std::size_t rank = conformal_rank(n, alpha);
  return rule == RankRule::clip && n > 0 ? std::min(rank, n) : rank;
}

bool is_feasible(std::size_t n, const Miscoverage& alpha) { return conformal_rank(n, alpha) <= n; }

double smallest_feasible_alpha(std::size_t n) { return 1.0 / (static_cast<double>(n) + 1.0); }

std::size_t examples_needed(const Miscoverage& alpha) {
  const Wide needed = (power_of_ten(alpha.places()) - 1) / alpha.numerator();
  return static_cast<std::size_t>(std::min<Wide>(needed, SIZE_MAX));
}

}  // namespace caos
