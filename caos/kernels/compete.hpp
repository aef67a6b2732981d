#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/kernels/coarse.hpp"

namespace caos::kernels {

/// How the patches of an image compete for a reference. A block holds the coarse similarities of
/// all patches, its rows, with a group of references, its columns: entry (p, r) at
/// block[p * coarse_group + r]. It is aligned to 64 bytes, as are all arrays by column, which have
/// `coarse_group` values.

/// maxima[r] = the largest entry of column r. Requires a row.
void column_maxima(const std::int16_t* block, std::size_t rows, std::int16_t* maxima);

/// sums[r] = the sum over rows of exp((entry - maxima[r]) * scale). Added in float: the relative
/// error is at most (rows + 64) * 2^-22.
void column_exp_sums(const std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
                     float scale, float* sums);

/// Replaces every entry of column r by tops[r] - (maxima[r] - entry) / 2, rounded up. Requires that
/// no result is below the range.
void rank_below(std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
                const std::int16_t* tops);

}  // namespace caos::kernels
