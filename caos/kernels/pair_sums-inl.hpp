// Sums over pairs of rows, such as dot products and distances, written once per instruction set; no
// include guard of the usual kind, as foreach_target includes it again for each.
#if defined(CAOS_KERNELS_PAIR_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAOS_KERNELS_PAIR_SUMS_INL
#undef CAOS_KERNELS_PAIR_SUMS_INL
#else
#define CAOS_KERNELS_PAIR_SUMS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Every sum has eight partial sums, which are added in one order: the same bits everywhere.
inline constexpr std::size_t partial_sums = 8;

using Tag = hn::CappedTag<double, partial_sums>;
using Narrow = hn::Rebind<float, Tag>;
using Vector = hn::Vec<Tag>;
inline constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(double), partial_sums);
/// Vectors that have the eight partial sums of one pair.
inline constexpr std::size_t parts = partial_sums / lanes;

// A tile of queries x references shares its loads; its partial sums must fit the registers.
inline constexpr std::size_t tile_queries = parts == 1 ? 4 : parts == 2 ? 2 : 1;
inline constexpr std::size_t tile_references = parts == 1 ? 4 : 2;
/// References whose rows stay in the second-level cache while all queries pass by.
template <typename Value>
inline constexpr std::size_t block_references = 128 / sizeof(Value);

HWY_INLINE Vector load(const float* values) {
  return hn::PromoteTo(Tag(), hn::LoadU(Narrow(), values));
}

HWY_INLINE Vector load(const double* values) { return hn::LoadU(Tag(), values); }

/// The eight partial sums, stored in order, added in the fixed order.
HWY_INLINE double total(const Vector (&sums)[parts]) {
  HWY_ALIGN double s[partial_sums];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(sums[p], Tag(), s + p * lanes);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// Eight values of a row from `d` on, zeros after its end.
template <typename Value>
struct Tail {
  Tail(const Value* row, std::size_t d, std::size_t dim) {
    for (std::size_t i = 0; d + i < dim; ++i) values[i] = row[d + i];
  }
  Value values[partial_sums] = {};
};

template <typename Terms, typename Value, std::size_t Q, std::size_t R>
HWY_INLINE void add_terms(const Value* const (&queries)[Q], const Value* const (&references)[R],
                          std::size_t d, Vector (&sums)[Q][R][parts]) {
  for (std::size_t p = 0; p < parts; ++p) {
    Vector b[R];
    for (std::size_t r = 0; r < R; ++r) b[r] = load(references[r] + d + p * lanes);
    for (std::size_t q = 0; q < Q; ++q) {
      const Vector a = load(queries[q] + d + p * lanes);
      for (std::size_t r = 0; r < R; ++r) sums[q][r][p] = Terms::add(sums[q][r][p], a, b[r]);
    }
  }
}

template <typename Terms, typename Value, std::size_t Q, std::size_t R>
HWY_INLINE void add_tails(const Value* const (&queries)[Q], const Value* const (&references)[R],
                          std::size_t d, std::size_t dim, Vector (&sums)[Q][R][parts]) {
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t r = 0; r < R; ++r) {
      const Tail<Value> a(queries[q], d, dim);
      const Tail<Value> b(references[r], d, dim);
      for (std::size_t p = 0; p < parts; ++p) {
        sums[q][r][p] =
            Terms::add(sums[q][r][p], load(a.values + p * lanes), load(b.values + p * lanes));
      }
    }
  }
}

template <typename Terms, std::size_t Q, std::size_t R, typename Value>
HWY_NOINLINE void sum_tile(const Value* query, const Value* reference, std::size_t dim, double* out,
                           std::size_t stride) {
  const Value* queries[Q];
  const Value* references[R];
  for (std::size_t q = 0; q < Q; ++q) queries[q] = query + q * dim;
  for (std::size_t r = 0; r < R; ++r) references[r] = reference + r * dim;
  Vector sums[Q][R][parts];
  for (auto& row : sums) {
    for (auto& sum : row) std::fill(sum, sum + parts, hn::Zero(Tag()));
  }
  std::size_t d = 0;
  for (; dim - d >= partial_sums; d += partial_sums) add_terms<Terms>(queries, references, d, sums);
  if (d < dim) add_tails<Terms>(queries, references, d, dim, sums);
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t r = 0; r < R; ++r) out[q * stride + r] = Terms::result(total(sums[q][r]));
  }
}

/// `count` references, in tiles.
template <typename Terms, std::size_t Q, typename Value>
HWY_INLINE void sum_strip(const Value* query, const Value* references, std::size_t count,
                          std::size_t dim, double* out, std::size_t stride) {
  std::size_t r = 0;
  for (; count - r >= tile_references; r += tile_references) {
    sum_tile<Terms, Q, tile_references>(query, references + r * dim, dim, out + r, stride);
  }
  for (; r < count; ++r) sum_tile<Terms, Q, 1>(query, references + r * dim, dim, out + r, stride);
}

/// The sum of every query, a row, with every reference. `Terms` adds the terms of two vectors of
/// values and makes the result of their sum.
template <typename Terms, typename Value>
void sum_all(const Value* queries, std::size_t num_queries, const Value* references,
             std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  for (std::size_t first = 0; first < num_references; first += block_references<Value>) {
    const std::size_t count = std::min(block_references<Value>, num_references - first);
    const Value* block = references + first * dim;
    std::size_t q = 0;
    for (; num_queries - q >= tile_queries; q += tile_queries) {
      sum_strip<Terms, tile_queries>(queries + q * dim, block, count, dim, out + q * stride + first,
                                     stride);
    }
    for (; q < num_queries; ++q) {
      sum_strip<Terms, 1>(queries + q * dim, block, count, dim, out + q * stride + first, stride);
    }
  }
}

}  // namespace
}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
