#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// Coarse similarities: dot products of unit rows in whole numbers of sixteen bits. They decide
/// nothing by themselves; with a bound on their error they tell which similarities need not be
/// computed as `dot_rows` defines them. Whole numbers add up to the same in any order, so the
/// results do not depend on the instruction set either.

/// What a coarse coordinate or similarity of 1 is. Its square is less than 2^30, so the dot product
/// of two rows not much longer than 1 fits 32 bits.
inline constexpr int coarse_one = 32000;

/// The least coarse similarity, and the value that a caller stores to exclude an entry.
inline constexpr std::int16_t coarse_least = -32767;
inline constexpr std::int16_t coarse_left_out = -32768;

/// At most so much do dividing by coarse_one and rounding change a similarity, in units.
inline constexpr double coarse_rounding = 0.51;

/// A reference whose similarity is below this is not among a query's k nearest, if `kth` is the
/// k-th largest and none errs by more than `error`: k references have true similarities of at least
/// kth - error, and this one's is below that. What is left out is below it too.
[[nodiscard]] constexpr std::int32_t least_of_nearest(std::int32_t kth, std::int32_t error) {
  const std::int32_t least = kth - 2 * error - 1;
  return least < coarse_least ? coarse_least : least;
}

/// Queries are compared in groups, references in panels; both are padded with zeros.
inline constexpr std::size_t coarse_group = 32;
inline constexpr std::size_t coarse_panel = 12;

/// How many values a coarse row has: `dim`, made even.
[[nodiscard]] constexpr std::size_t coarse_dim(std::size_t dim) { return (dim + 1) / 2 * 2; }

/// out = row * coarse_one, rounded, `coarse_dim(dim)` values. Requires values of at most 1.02 in
/// magnitude. Returns at least the distance of `out / coarse_one` from the row.
double quantize(const float* row, std::size_t dim, std::int16_t* out);

/// Interleaves `count` coarse rows, at most a group or a panel, pair of coordinates by pair:
/// `out` takes coarse_group (coarse_panel) * coarse_dim(dim) values.
void pack_group(const std::int16_t* const* rows, std::size_t count, std::size_t dim,
                std::int16_t* out);
void pack_panel(const std::int16_t* const* rows, std::size_t count, std::size_t dim,
                std::int16_t* out);

/// out[r * coarse_group + q] = the dot product of query q of the group and reference r of the
/// panels, divided by coarse_one and rounded: within coarse_rounding of the quotient, or the
/// nearest number from coarse_least to 32767 where that is out of range; 0 for places beyond the
/// `num_queries` that the group has. `out` has one row for each place in the panels, is aligned to
/// 64 bytes, as are the packed rows.
void coarse_dots(const std::int16_t* group, const std::int16_t* panels, std::size_t num_panels,
                 std::size_t dim, std::int16_t* out, std::size_t num_queries = coarse_group);

}  // namespace caos::kernels
