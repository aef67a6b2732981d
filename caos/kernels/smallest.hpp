#pragma once

#include <cstddef>

namespace caos::kernels {

/// For each row of `cols` scores: the sum of its `k` smallest, added in ascending order in double
/// starting from 0.0. `out` holds `rows` sums.
/// Requires 1 <= k <= cols, no NaN and no -inf; +inf is allowed. The bits do not depend on the
/// instruction set, nor on how the rows are split into calls. Fast for k up to 8, fair up to 64,
/// correct for all.
void minsum_rows(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                 double* out);
void minsum_rows(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                 double* out);

/// For each row: its `k` smallest scores, ascending, widened; -0.0 becomes +0.0. `out` is [rows,
/// k]. Requires the same as `minsum_rows`.
void smallest_rows(const float* scores, std::size_t rows, std::size_t cols, std::size_t k,
                   double* out);
void smallest_rows(const double* scores, std::size_t rows, std::size_t cols, std::size_t k,
                   double* out);

}  // namespace caos::kernels
