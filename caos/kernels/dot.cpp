#include "caos/kernels/dot.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/dot.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t partial_sums = 8;

using Tag = hn::CappedTag<double, partial_sums>;
using Narrow = hn::Rebind<float, Tag>;
using Vector = hn::Vec<Tag>;
inline constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(double), partial_sums);
/// Vectors that hold the eight partial sums of one dot product.
inline constexpr std::size_t parts = partial_sums / lanes;

// A tile of queries x references shares its loads; its partial sums must fit the registers.
inline constexpr std::size_t tile_queries = parts == 1 ? 4 : parts == 2 ? 2 : 1;
inline constexpr std::size_t tile_references = parts == 1 ? 4 : 2;
/// References whose rows stay in the second-level cache while all queries pass by.
inline constexpr std::size_t block_references = 32;

HWY_INLINE Vector load(const float* values) {
  return hn::PromoteTo(Tag(), hn::LoadU(Narrow(), values));
}

/// The eight partial sums, stored in order, added in the fixed order.
HWY_INLINE double total(const Vector (&sums)[parts]) {
  HWY_ALIGN double s[partial_sums];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(sums[p], Tag(), s + p * lanes);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// Eight values of a row from `d` on, zeros after its end.
struct Tail {
  Tail(const float* row, std::size_t d, std::size_t dim) {
    for (std::size_t i = 0; d + i < dim; ++i) values[i] = row[d + i];
  }
  float values[partial_sums] = {};
};

template <std::size_t Q, std::size_t R>
HWY_INLINE void add_products(const float* const (&queries)[Q], const float* const (&references)[R],
                             std::size_t d, Vector (&sums)[Q][R][parts]) {
  for (std::size_t p = 0; p < parts; ++p) {
    Vector b[R];
    for (std::size_t r = 0; r < R; ++r) b[r] = load(references[r] + d + p * lanes);
    for (std::size_t q = 0; q < Q; ++q) {
      const Vector a = load(queries[q] + d + p * lanes);
      // Fused or not, the result is the same, as the product is exact.
      for (std::size_t r = 0; r < R; ++r) sums[q][r][p] = hn::MulAdd(a, b[r], sums[q][r][p]);
    }
  }
}

template <std::size_t Q, std::size_t R>
HWY_INLINE void add_tail(const float* const (&queries)[Q], const float* const (&references)[R],
                         std::size_t d, std::size_t dim, Vector (&sums)[Q][R][parts]) {
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t r = 0; r < R; ++r) {
      const Tail a(queries[q], d, dim);
      const Tail b(references[r], d, dim);
      for (std::size_t p = 0; p < parts; ++p) {
        sums[q][r][p] =
            hn::MulAdd(load(a.values + p * lanes), load(b.values + p * lanes), sums[q][r][p]);
      }
    }
  }
}

template <std::size_t Q, std::size_t R>
HWY_NOINLINE void dot_tile(const float* query, const float* reference, std::size_t dim, double* out,
                           std::size_t stride) {
  const float* queries[Q];
  const float* references[R];
  for (std::size_t q = 0; q < Q; ++q) queries[q] = query + q * dim;
  for (std::size_t r = 0; r < R; ++r) references[r] = reference + r * dim;
  Vector sums[Q][R][parts];
  for (auto& row : sums) {
    for (auto& dot : row) std::fill(dot, dot + parts, hn::Zero(Tag()));
  }
  std::size_t d = 0;
  for (; dim - d >= partial_sums; d += partial_sums) add_products(queries, references, d, sums);
  if (d < dim) add_tail(queries, references, d, dim, sums);
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t r = 0; r < R; ++r) out[q * stride + r] = total(sums[q][r]);
  }
}

/// Pairs of rows that lie anywhere, several at a time so that none waits for its own sums.
template <std::size_t N>
HWY_NOINLINE void dot_some_pairs(const float* const* a, const float* const* b, std::size_t dim,
                                 double* out) {
  Vector sums[N][parts];
  for (auto& dot : sums) std::fill(dot, dot + parts, hn::Zero(Tag()));
  std::size_t d = 0;
  for (; dim - d >= partial_sums; d += partial_sums) {
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t p = 0; p < parts; ++p) {
        sums[n][p] = hn::MulAdd(load(a[n] + d + p * lanes), load(b[n] + d + p * lanes), sums[n][p]);
      }
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    const Tail x(a[n], d, dim);
    const Tail y(b[n], d, dim);
    for (std::size_t p = 0; d < dim && p < parts; ++p) {
      sums[n][p] = hn::MulAdd(load(x.values + p * lanes), load(y.values + p * lanes), sums[n][p]);
    }
    out[n] = total(sums[n]);
  }
}

/// `count` references, in tiles.
template <std::size_t Q>
HWY_INLINE void dot_strip(const float* query, const float* references, std::size_t count,
                          std::size_t dim, double* out, std::size_t stride) {
  std::size_t r = 0;
  for (; count - r >= tile_references; r += tile_references) {
    dot_tile<Q, tile_references>(query, references + r * dim, dim, out + r, stride);
  }
  for (; r < count; ++r) dot_tile<Q, 1>(query, references + r * dim, dim, out + r, stride);
}

}  // namespace

void dot_all(const float* queries, std::size_t num_queries, const float* references,
             std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  for (std::size_t first = 0; first < num_references; first += block_references) {
    const std::size_t count = std::min(block_references, num_references - first);
    const float* block = references + first * dim;
    std::size_t q = 0;
    for (; num_queries - q >= tile_queries; q += tile_queries) {
      dot_strip<tile_queries>(queries + q * dim, block, count, dim, out + q * stride + first,
                              stride);
    }
    for (; q < num_queries; ++q) {
      dot_strip<1>(queries + q * dim, block, count, dim, out + q * stride + first, stride);
    }
  }
}

void dot_all_pairs(const float* const* a, const float* const* b, std::size_t count, std::size_t dim,
                   double* out) {
  constexpr std::size_t some = parts == 1 ? 6 : parts == 2 ? 4 : 2;
  std::size_t n = 0;
  for (; count - n >= some; n += some) dot_some_pairs<some>(a + n, b + n, dim, out + n);
  for (; count - n >= 2; n += 2) dot_some_pairs<2>(a + n, b + n, dim, out + n);
  for (; n < count; ++n) dot_some_pairs<1>(a + n, b + n, dim, out + n);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(dot_all);
HWY_EXPORT(dot_all_pairs);

void dot_rows(const float* queries, std::size_t num_queries, const float* references,
              std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(dot_all)
  (queries, num_queries, references, num_references, dim, out, stride);
}

void dot_pairs(const float* const* a, const float* const* b, std::size_t count, std::size_t dim,
               double* out) {
  HWY_DYNAMIC_DISPATCH(dot_all_pairs)(a, b, count, dim, out);
}

}  // namespace caos::kernels

#endif
