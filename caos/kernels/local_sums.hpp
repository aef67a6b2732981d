#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace caos::kernels {

/// Some rows of a table, and what each is multiplied by.
struct WeightedRows {
  const std::uint32_t* rows = nullptr;
  const double* weights = nullptr;
  std::size_t count = 0;
};

/// How many values each row has.
inline constexpr std::size_t local_values = 4;

/// out[i * local_values + v] = the sum over list i of weight * rows[row * local_values + v], in the
/// order of the list, beginning with 0: the same bits for every instruction set.
void local_sums(const double* rows, std::span<const WeightedRows> lists, double* out);

}  // namespace caos::kernels
