#include "caos/kernels/compare.hpp"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/compare.cpp"
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

/// One bit for each value of a vector that is below its limit.
template <typename T>
HWY_INLINE std::uint64_t bits_below(const T* values, const double* limits) {
  static_assert(lanes <= 8);
  const Tag d;
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, hn::Lt(widen(values), hn::LoadU(d, limits)), bits);
  return bits[0];
}

/// The same for up to 64 values. Bits are gathered first and looked at once, since where they are
/// is random and each look may be mispredicted.
template <typename T>
HWY_INLINE std::uint64_t word_below(const T* values, const double* limits, std::size_t count) {
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; count - i >= lanes; i += lanes) word |= bits_below(values + i, limits + i) << i;
  for (; i < count; ++i) word |= std::uint64_t{double{values[i]} < limits[i]} << i;
  return word;
}

template <typename T>
HWY_INLINE std::size_t collect(const T* values, const double* limits, std::size_t count,
                               std::uint32_t* found) {
  std::size_t size = 0;
  for (std::size_t start = 0; start < count; start += 64) {
    std::uint64_t word =
        word_below(values + start, limits + start, std::min<std::size_t>(64, count - start));
    for (; word != 0; word &= word - 1) {
      found[size++] =
          static_cast<std::uint32_t>(start) + static_cast<std::uint32_t>(std::countr_zero(word));
    }
  }
  return size;
}

template <typename T>
HWY_INLINE std::size_t count(const T* values, const double* limits, std::size_t size) {
  const Tag d;
  std::size_t found = 0;
  std::size_t i = 0;
  for (; size - i >= lanes; i += lanes) {
    found += hn::CountTrue(d, hn::Lt(widen(values + i), hn::LoadU(d, limits + i)));
  }
  for (; i < size; ++i) found += double{values[i]} < limits[i] ? 1 : 0;
  return found;
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

std::size_t collect_float(const float* values, const double* limits, std::size_t count,
                          std::uint32_t* found) {
  return collect(values, limits, count, found);
}

std::size_t collect_double(const double* values, const double* limits, std::size_t count,
                           std::uint32_t* found) {
  return collect(values, limits, count, found);
}

std::size_t count_float(const float* values, const double* limits, std::size_t size) {
  return count(values, limits, size);
}

std::size_t count_double(const double* values, const double* limits, std::size_t size) {
  return count(values, limits, size);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(count_all);
HWY_EXPORT(collect_float);
HWY_EXPORT(collect_double);
HWY_EXPORT(count_float);
HWY_EXPORT(count_double);

void count_at_most(const double* scores, const double* thresholds, std::size_t count,
                   std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(count_all)(scores, thresholds, count, counts);
}

std::size_t collect_below(const float* values, const double* limits, std::size_t count,
                          std::uint32_t* found) {
  return HWY_DYNAMIC_DISPATCH(collect_float)(values, limits, count, found);
}

std::size_t collect_below(const double* values, const double* limits, std::size_t count,
                          std::uint32_t* found) {
  return HWY_DYNAMIC_DISPATCH(collect_double)(values, limits, count, found);
}

std::size_t count_below(const float* values, const double* limits, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(count_float)(values, limits, count);
}

std::size_t count_below(const double* values, const double* limits, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(count_double)(values, limits, count);
}

}  // namespace caos::kernels

#endif
