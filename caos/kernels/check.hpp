#pragma once

#include <cstddef>

namespace caos::kernels {

/// The least score. Sums of scores beyond it could overflow to -inf, and with +inf among them to
/// NaN. Every finite float is above it.
inline constexpr double least_score = -1e300;

/// Position of the first invalid score, which is NaN or below `least_score`; `count` if
/// all are scores.
[[nodiscard]] std::size_t find_not_a_score(const float* values, std::size_t count);
[[nodiscard]] std::size_t find_not_a_score(const double* values, std::size_t count);

}  // namespace caos::kernels
