#pragma once

#include <cstddef>

namespace caos::kernels {

/// out[q * stride + r] = the Euclidean distance of query row q and reference row r, both of `dim`
/// doubles.
///
/// The square of difference d goes to partial sum d mod 8, in ascending order of d, without fused
/// operations; the eight partial sums are then added as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
/// That order is the meaning of a distance: the bits do not depend on the instruction set, nor on
/// how rows are split into calls, and exchanging the two rows changes nothing.
void euclidean_rows(const double* queries, std::size_t num_queries, const double* references,
                    std::size_t num_references, std::size_t dim, double* out, std::size_t stride);

/// The same with the sum of absolute differences.
void manhattan_rows(const double* queries, std::size_t num_queries, const double* references,
                    std::size_t num_references, std::size_t dim, double* out, std::size_t stride);

}  // namespace caos::kernels
