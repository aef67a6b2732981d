#include "caos/kernels/distance.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t partial_sums = 8;

using Tag = hn::CappedTag<double, partial_sums>;
using Vector = hn::Vec<Tag>;
inline constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(double), partial_sums);
/// Vectors that have the eight partial sums of one distance.
inline constexpr std::size_t parts = partial_sums / lanes;

// A tile of queries x references shares its loads; its partial sums must fit the registers.
inline constexpr std::size_t tile_queries = parts == 1 ? 4 : parts == 2 ? 2 : 1;
inline constexpr std::size_t tile_references = parts == 1 ? 4 : 2;
/// References whose rows stay in the second-level cache while all queries pass by.
inline constexpr std::size_t block_references = 16;

struct Squares {
  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) {
    const Vector difference = hn::Sub(a, b);
    return hn::Add(sum, hn::Mul(difference, difference));
  }
  static double distance(double sum) { return std::sqrt(sum); }
};

struct Magnitudes {
  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) {
    return hn::Add(sum, hn::Abs(hn::Sub(a, b)));
  }
  static double distance(double sum) { return sum; }
};

/// The eight partial sums, stored in order, added in the fixed order.
HWY_INLINE double total(const Vector (&sums)[parts]) {
  HWY_ALIGN double s[partial_sums];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(sums[p], Tag(), s + p * lanes);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// Eight values of a row from `d` on, zeros after its end.
struct Tail {
  Tail(const double* row, std::size_t d, std::size_t dim) {
    for (std::size_t i = 0; d + i < dim; ++i) values[i] = row[d + i];
  }
  double values[partial_sums] = {};
};

template <typename Terms, std::size_t Q, std::size_t R>
HWY_INLINE void add_terms(const double* const (&queries)[Q], const double* const (&references)[R],
                          std::size_t d, Vector (&sums)[Q][R][parts]) {
  for (std::size_t p = 0; p < parts; ++p) {
    Vector b[R];
    for (std::size_t r = 0; r < R; ++r) b[r] = hn::LoadU(Tag(), references[r] + d + p * lanes);
    for (std::size_t q = 0; q < Q; ++q) {
      const Vector a = hn::LoadU(Tag(), queries[q] + d + p * lanes);
      for (std::size_t r = 0; r < R; ++r) sums[q][r][p] = Terms::add(sums[q][r][p], a, b[r]);
    }
  }
}

template <typename Terms, std::size_t Q, std::size_t R>
HWY_NOINLINE void distance_tile(const double* query, const double* reference, std::size_t dim,
                                double* out, std::size_t stride) {
  const double* queries[Q];
  const double* references[R];
  for (std::size_t q = 0; q < Q; ++q) queries[q] = query + q * dim;
  for (std::size_t r = 0; r < R; ++r) references[r] = reference + r * dim;
  Vector sums[Q][R][parts];
  for (auto& row : sums) {
    for (auto& sum : row) std::fill(sum, sum + parts, hn::Zero(Tag()));
  }
  std::size_t d = 0;
  for (; dim - d >= partial_sums; d += partial_sums) {
    add_terms<Terms>(queries, references, d, sums);
  }
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t r = 0; r < R; ++r) {
      if (d < dim) {
        const Tail a(queries[q], d, dim);
        const Tail b(references[r], d, dim);
        for (std::size_t p = 0; p < parts; ++p) {
          sums[q][r][p] = Terms::add(sums[q][r][p], hn::LoadU(Tag(), a.values + p * lanes),
                                     hn::LoadU(Tag(), b.values + p * lanes));
        }
      }
      out[q * stride + r] = Terms::distance(total(sums[q][r]));
    }
  }
}

/// `count` references, in tiles.
template <typename Terms, std::size_t Q>
HWY_INLINE void distance_strip(const double* query, const double* references, std::size_t count,
                               std::size_t dim, double* out, std::size_t stride) {
  std::size_t r = 0;
  for (; count - r >= tile_references; r += tile_references) {
    distance_tile<Terms, Q, tile_references>(query, references + r * dim, dim, out + r, stride);
  }
  for (; r < count; ++r) {
    distance_tile<Terms, Q, 1>(query, references + r * dim, dim, out + r, stride);
  }
}

template <typename Terms>
void all_distances(const double* queries, std::size_t num_queries, const double* references,
                   std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  for (std::size_t first = 0; first < num_references; first += block_references) {
    const std::size_t count = std::min(block_references, num_references - first);
    const double* block = references + first * dim;
    std::size_t q = 0;
    for (; num_queries - q >= tile_queries; q += tile_queries) {
      distance_strip<Terms, tile_queries>(queries + q * dim, block, count, dim,
                                          out + q * stride + first, stride);
    }
    for (; q < num_queries; ++q) {
      distance_strip<Terms, 1>(queries + q * dim, block, count, dim, out + q * stride + first,
                               stride);
    }
  }
}

}  // namespace

void euclidean_all(const double* queries, std::size_t num_queries, const double* references,
                   std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  all_distances<Squares>(queries, num_queries, references, num_references, dim, out, stride);
}

void manhattan_all(const double* queries, std::size_t num_queries, const double* references,
                   std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  all_distances<Magnitudes>(queries, num_queries, references, num_references, dim, out, stride);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(euclidean_all);
HWY_EXPORT(manhattan_all);

void euclidean_rows(const double* queries, std::size_t num_queries, const double* references,
                    std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(euclidean_all)
  (queries, num_queries, references, num_references, dim, out, stride);
}

void manhattan_rows(const double* queries, std::size_t num_queries, const double* references,
                    std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(manhattan_all)
  (queries, num_queries, references, num_references, dim, out, stride);
}

}  // namespace caos::kernels

#endif
