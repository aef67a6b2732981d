#include "caos/kernels/distance.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "caos/kernels/pair_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

struct Squares {
  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) {
    const Vector difference = hn::Sub(a, b);
    return hn::Add(sum, hn::Mul(difference, difference));
  }
  static double result(double sum) { return std::sqrt(sum); }
};

struct Magnitudes {
  HWY_INLINE static Vector add(Vector sum, Vector a, Vector b) {
    return hn::Add(sum, hn::Abs(hn::Sub(a, b)));
  }
  static double result(double sum) { return sum; }
};

}  // namespace

void euclidean_all(const double* queries, std::size_t num_queries, const double* references,
                   std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  sum_all<Squares>(queries, num_queries, references, num_references, dim, out, stride);
}

void manhattan_all(const double* queries, std::size_t num_queries, const double* references,
                   std::size_t num_references, std::size_t dim, double* out, std::size_t stride) {
  sum_all<Magnitudes>(queries, num_queries, references, num_references, dim, out, stride);
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
