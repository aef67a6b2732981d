#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// Adds one to counts[j] where scores[j] <= thresholds[j]: how many labels so far are in the set of
/// each of `count` predictors.
void count_at_most(const double* scores, const double* thresholds, std::size_t count,
                   std::uint32_t* counts);

/// First position i >= `begin` with values[i] < limits[i], compared in double; `count` if there is
/// none. Meant for searches that seldom find. Requires begin <= count.
[[nodiscard]] std::size_t find_below(const float* values, const double* limits, std::size_t begin,
                                     std::size_t count);
[[nodiscard]] std::size_t find_below(const double* values, const double* limits, std::size_t begin,
                                     std::size_t count);

}  // namespace caos::kernels
