#pragma once

#include <cstddef>

#include "caos/numerics/miscoverage.hpp"

namespace caos {

/// What to do when the rank exceeds the number of calibration scores.
enum class RankRule {
  every_label,  ///< the threshold is +infinity and the set is every label; keeps the guarantee
  clip,         ///< the largest score, as the paper's Quantile does; loses the guarantee
};

/// ceil((1 - alpha)(n + 1)), exactly; n + 1 when alpha is too small for n examples.
[[nodiscard]] std::size_t conformal_rank(std::size_t n, const Miscoverage& alpha);

/// The rank that decides: `conformal_rank`, clipped to n where `rule` says so and n >= 1.
[[nodiscard]] std::size_t deciding_rank(std::size_t n, const Miscoverage& alpha, RankRule rule);

/// Whether n examples can support alpha: conformal_rank(n, alpha) <= n, i.e. alpha >= 1 / (n + 1).
[[nodiscard]] bool is_feasible(std::size_t n, const Miscoverage& alpha);

/// 1 / (n + 1), below which every set is every label.
[[nodiscard]] double smallest_feasible_alpha(std::size_t n);

/// The fewest examples for which alpha is feasible: ceil(1 / alpha) - 1.
[[nodiscard]] std::size_t examples_needed(const Miscoverage& alpha);

}  // namespace caos
