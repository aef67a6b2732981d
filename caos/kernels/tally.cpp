#include "caos/kernels/tally.hpp"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/tally.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
inline constexpr std::size_t lanes = HWY_LANES(double);

HWY_INLINE hn::Vec<Tag> widen(const double* values) { return hn::LoadU(Tag(), values); }

HWY_INLINE hn::Vec<Tag> widen(const float* values) {
  return hn::PromoteTo(Tag(), hn::LoadU(hn::Rebind<float, Tag>(), values));
}

/// Whether no value of M vectors is below its limit; one branch for all of them.
template <std::size_t M, typename T>
HWY_INLINE bool none_below(const T* values, const double* limits) {
  const Tag d;
  auto below = hn::Lt(widen(values), hn::LoadU(d, limits));
  HWY_UNROLL(8)
  for (std::size_t j = 1; j < M; ++j) {
    below = hn::Or(below, hn::Lt(widen(values + j * lanes), hn::LoadU(d, limits + j * lanes)));
  }
  return hn::AllFalse(d, below);
}

template <typename T>
HWY_INLINE std::size_t find(const T* values, const double* limits, std::size_t i,
                            std::size_t count) {
  constexpr std::size_t block = 4 * lanes;
  while (count - i >= block && none_below<4>(values + i, limits + i)) i += block;
  while (count - i >= lanes && none_below<1>(values + i, limits + i)) i += lanes;
  while (i < count && !(double{values[i]} < limits[i])) ++i;
  return i;
}

HWY_INLINE void count_vector(const double* scores, const double* thresholds,
                             std::uint32_t* counts) {
  const Tag d;
  const hn::Rebind<std::int32_t, Tag> narrow;
  const hn::Rebind<std::uint32_t, Tag> out;
  const auto at_most = hn::Le(hn::LoadU(d, scores), hn::LoadU(d, thresholds));
  const auto one = hn::DemoteTo(narrow, hn::IfThenElseZero(at_most, hn::Set(d, 1.0)));
  hn::StoreU(hn::Add(hn::LoadU(out, counts), hn::BitCast(out, one)), out, counts);
}

}  // namespace

void count_all(const double* scores, const double* thresholds, std::size_t count,
               std::uint32_t* counts) {
  std::size_t j = 0;
  for (; count - j >= lanes; j += lanes) count_vector(scores + j, thresholds + j, counts + j);
  for (; j < count; ++j) counts[j] += scores[j] <= thresholds[j] ? 1 : 0;
}

std::size_t find_float(const float* values, const double* limits, std::size_t begin,
                       std::size_t count) {
  return find(values, limits, begin, count);
}

std::size_t find_double(const double* values, const double* limits, std::size_t begin,
                        std::size_t count) {
  return find(values, limits, begin, count);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(count_all);
HWY_EXPORT(find_float);
HWY_EXPORT(find_double);

void count_at_most(const double* scores, const double* thresholds, std::size_t count,
                   std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(count_all)(scores, thresholds, count, counts);
}

std::size_t find_below(const float* values, const double* limits, std::size_t begin,
                       std::size_t count) {
  assert(begin <= count);
  return HWY_DYNAMIC_DISPATCH(find_float)(values, limits, begin, count);
}

std::size_t find_below(const double* values, const double* limits, std::size_t begin,
                       std::size_t count) {
  assert(begin <= count);
  return HWY_DYNAMIC_DISPATCH(find_double)(values, limits, begin, count);
}

}  // namespace caos::kernels

#endif
