#include "caos/kernels/check.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/check.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
inline constexpr std::size_t lanes = HWY_LANES(T);

/// The least score of a type: -1e300 is beyond the range of float, where all but -inf is allowed.
template <typename T>
inline constexpr T least = static_cast<T>(least_score);
template <>
inline constexpr float least<float> = std::numeric_limits<float>::lowest();

/// A comparison with NaN is false.
template <typename T>
HWY_INLINE bool is_score(T value) {
  return value >= least<T>;
}

/// Whether M vectors hold scores only; one branch for all of them.
template <std::size_t M, typename T>
HWY_INLINE bool all_scores(const T* values) {
  const hn::ScalableTag<T> d;
  const auto bottom = hn::Set(d, least<T>);
  auto good = hn::Ge(hn::LoadU(d, values), bottom);
  HWY_UNROLL(8)
  for (std::size_t j = 1; j < M; ++j) {
    good = hn::And(good, hn::Ge(hn::LoadU(d, values + j * lanes<T>), bottom));
  }
  return hn::AllTrue(d, good);
}

template <typename T>
HWY_INLINE std::size_t find(const T* values, std::size_t count) {
  constexpr std::size_t block = 8 * lanes<T>;
  std::size_t i = 0;
  while (count - i >= block && all_scores<8>(values + i)) i += block;
  while (count - i >= lanes<T> && all_scores<1>(values + i)) i += lanes<T>;
  while (i < count && is_score(values[i])) ++i;
  return i;
}

}  // namespace

std::size_t find_float(const float* values, std::size_t count) { return find(values, count); }

std::size_t find_double(const double* values, std::size_t count) { return find(values, count); }

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(find_float);
HWY_EXPORT(find_double);

std::size_t find_not_a_score(const float* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(find_float)(values, count);
}

std::size_t find_not_a_score(const double* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(find_double)(values, count);
}

}  // namespace caos::kernels

#endif
