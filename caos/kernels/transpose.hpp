#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// A table of values in groups of `coarse_group` columns, as `coarse_dots` leaves it: entry (p, u)
/// at values[u / coarse_group * stride + p * coarse_group + u % coarse_group].
struct GroupedTable {
  std::int16_t* values;  ///< aligned to 64 bytes
  std::size_t stride;    ///< values of a group
};

/// to(u, p) = from(p, u) for p < rows and u < columns. Places of the last group of `to` that have
/// no entry become 0. The tables do not overlap.
void transpose(const GroupedTable& from, std::size_t rows, std::size_t columns,
               const GroupedTable& to);

}  // namespace caos::kernels
