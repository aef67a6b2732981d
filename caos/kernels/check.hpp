#pragma once

#include <cstddef>

namespace caos::kernels {

/// Position of the first value that is no score, which is NaN or -inf; `count` if all are scores.
[[nodiscard]] std::size_t find_not_a_score(const float* values, std::size_t count);
[[nodiscard]] std::size_t find_not_a_score(const double* values, std::size_t count);

}  // namespace caos::kernels
