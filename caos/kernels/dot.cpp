#include "caos/kernels/dot.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/dot.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "caos/kernels/pair_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

struct Products {
  /// Fused or not, the result is the same, as the product is exact.
  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) { return hn::MulAdd(a, b, sum); }
  static double result(double sum) { return sum; }
};

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
        sums[n][p] =
            Products::add(sums[n][p], load(a[n] + d + p * lanes), load(b[n] + d + p * lanes));
      }
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    const Tail<float> x(a[n], d, dim);
    const Tail<float> y(b[n], d, dim);
    for (std::size_t p = 0; d < dim && p < parts; ++p) {
      sums[n][p] =
          Products::add(sums[n][p], load(x.values + p * lanes), load(y.values + p * lanes));
    }
    out[n] = total(sums[n]);
  }
}

}  // namespace

void dot_all(const float* queries, std::size_t num_queries, const float* references,
             std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  sum_all<Products>(queries, num_queries, references, num_references, dim, out, stride);
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
