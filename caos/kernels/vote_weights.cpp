#include "caos/kernels/vote_weights.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/vote_weights.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

#include "caos/kernels/exp_log-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

using Tag = hn::ScalableTag<double>;
using Whole = hn::RebindToSigned<Tag>;
inline constexpr std::size_t lanes = HWY_LANES(double);

HWY_INLINE void weigh(const double* similarities, double temperature, std::int64_t* out) {
  const Tag d;
  const Whole whole;
  const auto one = hn::Set(d, 1.0);
  const auto below_one = hn::Sub(hn::Min(hn::LoadU(d, similarities), one), one);
  const auto weight = exp_of_negative(hn::Div(below_one, hn::Set(d, temperature)));
  // Adding this rounds to a whole number and leaves it in the low bits of the significand.
  const auto shift = hn::Set(d, 0x1.8p52);
  const auto shifted = hn::Add(hn::Mul(weight, hn::Set(d, static_cast<double>(vote_unit))), shift);
  hn::StoreU(hn::Sub(hn::BitCast(whole, shifted), hn::BitCast(whole, shift)), whole, out);
}

}  // namespace

void vote_weights_of(const double* similarities, std::size_t count, double temperature,
                     std::int64_t* out) {
  std::size_t i = 0;
  for (; count - i >= lanes; i += lanes) weigh(similarities + i, temperature, out + i);
  if (i == count) return;
  double tail[lanes] = {};
  std::int64_t weights[lanes];
  std::copy(similarities + i, similarities + count, tail);
  weigh(tail, temperature, weights);
  std::copy(weights, weights + (count - i), out + i);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(vote_weights_of);

void vote_weights(const double* similarities, std::size_t count, double temperature,
                  std::int64_t* out) {
  HWY_DYNAMIC_DISPATCH(vote_weights_of)(similarities, count, temperature, out);
}

}  // namespace caos::kernels

#endif
