#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// Adds one to counts[j] where scores[j] <= thresholds[j]: how many labels so far are in the set of
/// each of `count` predictors.
void count_at_most(const double* scores, const double* thresholds, std::size_t count,
                   std::uint32_t* counts);

/// Writes the positions i with values[i] < limits[i], compared in double, to `found` in ascending
/// order, and returns how many there are. `found` has room for `count`.
[[nodiscard]] std::size_t collect_below(const float* values, const double* limits,
                                        std::size_t count, std::uint32_t* found);
[[nodiscard]] std::size_t collect_below(const double* values, const double* limits,
                                        std::size_t count, std::uint32_t* found);

/// How many positions `collect_below` would find.
[[nodiscard]] std::size_t count_below(const float* values, const double* limits, std::size_t count);
[[nodiscard]] std::size_t count_below(const double* values, const double* limits,
                                      std::size_t count);

}  // namespace caos::kernels
