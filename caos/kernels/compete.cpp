#include "caos/kernels/compete.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/compete.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag16 = hn::CappedTag<std::int16_t, coarse_group>;
inline constexpr std::size_t lanes =
    HWY_LANES(std::int16_t) < coarse_group ? HWY_LANES(std::int16_t) : coarse_group;
inline constexpr std::size_t parts = coarse_group / lanes;

// Half as many, or as few as there are of float.
using FloatTag = hn::CappedTag<float, coarse_group>;
using Tag32 = hn::RebindToSigned<FloatTag>;
using NarrowTag = hn::Rebind<std::int16_t, FloatTag>;
inline constexpr std::size_t float_lanes =
    HWY_LANES(float) < coarse_group ? HWY_LANES(float) : coarse_group;

HWY_INLINE hn::Vec<Tag32> widened(const std::int16_t* values) {
  return hn::PromoteTo(Tag32(), hn::Load(NarrowTag(), values));
}

}  // namespace

void maxima_of(const std::int16_t* block, std::size_t rows, std::int16_t* maxima) {
  const Tag16 d;
  hn::Vec<Tag16> most[parts];
  for (std::size_t v = 0; v < parts; ++v) most[v] = hn::Load(d, block + v * lanes);
  for (std::size_t p = 1; p < rows; ++p) {
    for (std::size_t v = 0; v < parts; ++v) {
      most[v] = hn::Max(most[v], hn::Load(d, block + p * coarse_group + v * lanes));
    }
  }
  for (std::size_t v = 0; v < parts; ++v) hn::Store(most[v], d, maxima + v * lanes);
}

void exp_sums_of(const std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
                 float scale, float* sums) {
  const FloatTag d;
  for (std::size_t c = 0; c < coarse_group; c += float_lanes) {
    const auto most = widened(maxima + c);
    auto sum = hn::Zero(d);
    for (std::size_t p = 0; p < rows; ++p) {
      const auto below = hn::Sub(widened(block + p * coarse_group + c), most);
      sum = hn::Add(sum, hn::Exp(d, hn::Mul(hn::ConvertTo(d, below), hn::Set(d, scale))));
    }
    hn::Store(sum, d, sums + c);
  }
}

void rank_all(std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
              const std::int16_t* tops) {
  const Tag16 d;
  const hn::RebindToUnsigned<Tag16> bits;
  for (std::size_t v = 0; v < parts; ++v) {
    const auto most = hn::Load(d, maxima + v * lanes);
    const auto top = hn::Load(d, tops + v * lanes);
    for (std::size_t p = 0; p < rows; ++p) {
      std::int16_t* const place = block + p * coarse_group + v * lanes;
      // The difference needs all sixteen bits.
      const auto below = hn::BitCast(bits, hn::Sub(most, hn::Load(d, place)));
      hn::Store(hn::Sub(top, hn::BitCast(d, hn::ShiftRight<1>(below))), d, place);
    }
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {
namespace {

HWY_EXPORT(maxima_of);
HWY_EXPORT(exp_sums_of);
HWY_EXPORT(rank_all);

}  // namespace

void column_maxima(const std::int16_t* block, std::size_t rows, std::int16_t* maxima) {
  HWY_DYNAMIC_DISPATCH(maxima_of)(block, rows, maxima);
}

void column_exp_sums(const std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
                     float scale, float* sums) {
  HWY_DYNAMIC_DISPATCH(exp_sums_of)(block, rows, maxima, scale, sums);
}

void rank_below(std::int16_t* block, std::size_t rows, const std::int16_t* maxima,
                const std::int16_t* tops) {
  HWY_DYNAMIC_DISPATCH(rank_all)(block, rows, maxima, tops);
}

}  // namespace caos::kernels

#endif
