#include "caos/numerics/conformal_rank.hpp"

#include <algorithm>

namespace caos {
namespace {

__extension__ using Wide = unsigned __int128;

/// floor(alpha (n + 1)): how many of n + 1 exchangeable scores may lie above the threshold.
std::size_t allowed_misses(std::size_t n, const Miscoverage& alpha) {
  const Wide scaled = static_cast<Wide>(alpha.numerator()) * (static_cast<Wide>(n) + 1);
  return static_cast<std::size_t>(scaled / alpha.denominator());
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

std::size_t examples_needed(const Miscoverage& alpha) {
  return (alpha.denominator() + alpha.numerator() - 1) / alpha.numerator() - 1;
}

}  // namespace caos
