#pragma once

#include <cstddef>

namespace caos::kernels {

/// out[q * stride + r] = the dot product of query row q and reference row r, both of `dim` floats.
///
/// Each product of two floats is exact in double. Product d goes to partial sum d mod 8, in
/// ascending order of d; the eight partial sums are then added as
/// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). That order is the meaning of a similarity: the bits
/// do not depend on the instruction set, nor on how rows are split into calls, and exchanging the
/// two rows changes nothing.
void dot_rows(const float* queries, std::size_t num_queries, const float* references,
              std::size_t num_references, std::size_t dim, double* out, std::size_t stride);

/// The same of `count` pairs of rows that lie anywhere: out[n] is that of a[n] and b[n].
void dot_pairs(const float* const* a, const float* const* b, std::size_t count, std::size_t dim,
               double* out);

}  // namespace caos::kernels
