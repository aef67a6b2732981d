#include "caos/kernels/log_sum_exp.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/log_sum_exp.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

#include "caos/kernels/exp_log-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

inline constexpr std::size_t partial_sums = 8;

using Tag = hn::CappedTag<double, partial_sums>;
using Narrow = hn::Rebind<float, Tag>;
using Vector = hn::Vec<Tag>;
inline constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(double), partial_sums);
inline constexpr std::size_t parts = partial_sums / lanes;

/// Adds e^(x[i] - largest) for eight values.
HWY_INLINE void add_eight(const float* x, Vector largest, Vector (&sums)[parts]) {
  for (std::size_t p = 0; p < parts; ++p) {
    const Vector value = hn::PromoteTo(Tag(), hn::LoadU(Narrow(), x + p * lanes));
    sums[p] = hn::Add(sums[p], exp_of_negative(hn::Sub(value, largest)));
  }
}

HWY_INLINE double total(const Vector (&sums)[parts]) {
  HWY_ALIGN double s[partial_sums];
  for (std::size_t p = 0; p < parts; ++p) hn::Store(sums[p], Tag(), s + p * lanes);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

}  // namespace

double log_sum_exp_of(const float* x, std::size_t count) {
  const float largest = *std::max_element(x, x + count);
  const Vector shift = hn::Set(Tag(), static_cast<double>(largest));
  Vector sums[parts];
  std::fill(sums, sums + parts, hn::Zero(Tag()));
  std::size_t i = 0;
  for (; count - i >= partial_sums; i += partial_sums) add_eight(x + i, shift, sums);
  if (i < count) {
    // Minus infinity adds nothing.
    float tail[partial_sums];
    std::fill(tail, tail + partial_sums, -std::numeric_limits<float>::infinity());
    std::copy(x + i, x + count, tail);
    add_eight(tail, shift, sums);
  }
  const auto sum = hn::Set(hn::CappedTag<double, 1>(), total(sums));
  return static_cast<double>(largest) + hn::GetLane(log_of_large(sum));
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(log_sum_exp_of);

double log_sum_exp(const float* x, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(log_sum_exp_of)(x, count);
}

}  // namespace caos::kernels

#endif
