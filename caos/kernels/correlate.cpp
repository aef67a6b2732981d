#include "caos/kernels/correlate.hpp"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/correlate.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Narrow = hn::CappedTag<std::int16_t, correlate_padding>;
using Wide = hn::RepartitionToWide<Narrow>;
inline constexpr std::size_t lanes = hn::MaxLanes(Narrow());

/// Positions of a row that share the loads of the pattern.
inline constexpr std::size_t together = 4;

template <std::size_t N>
HWY_INLINE void sums_at(const GraySquare& pattern, const std::int16_t* corner, std::size_t stride,
                        std::int32_t* sums) {
  const Narrow d;
  const Wide wide;
  hn::Vec<Wide> even[N];
  hn::Vec<Wide> odd[N];
  for (std::size_t n = 0; n < N; ++n) even[n] = odd[n] = hn::Zero(wide);
  for (std::size_t i = 0; i < pattern.side; ++i) {
    for (std::size_t j = 0; j < pattern.side; j += lanes) {
      const auto a = hn::LoadU(d, pattern.values + i * pattern.stride + j);
      for (std::size_t n = 0; n < N; ++n) {
        const auto b = hn::LoadU(d, corner + i * stride + j + n);
        even[n] = hn::ReorderWidenMulAccumulate(wide, a, b, even[n], odd[n]);
      }
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    sums[n] = hn::GetLane(hn::SumOfLanes(wide, hn::Add(even[n], odd[n])));
  }
}

}  // namespace

void correlate_all(const GraySquare& pattern, const GraySquare& window, std::int32_t* sums) {
  const std::size_t positions = window.side - pattern.side + 1;
  for (std::size_t y = 0; y < positions; ++y) {
    const std::int16_t* row = window.values + y * window.stride;
    std::size_t x = 0;
    for (; positions - x >= together; x += together, sums += together) {
      sums_at<together>(pattern, row + x, window.stride, sums);
    }
    for (; x < positions; ++x, ++sums) sums_at<1>(pattern, row + x, window.stride, sums);
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(correlate_all);

void correlate(const GraySquare& pattern, const GraySquare& window, std::int32_t* sums) {
  assert(pattern.side <= 128 && pattern.side <= window.side);
  assert(pattern.stride % correlate_padding == 0 && pattern.stride >= pattern.side);
  assert(window.stride >= window.side - pattern.side + pattern.stride);
  HWY_DYNAMIC_DISPATCH(correlate_all)(pattern, window, sums);
}

}  // namespace caos::kernels

#endif
