// Exponential and logarithm for kernels, written once per instruction set; no include guard of the
// usual kind, as foreach_target includes it again for each.
#if defined(CAOS_KERNELS_EXP_LOG_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAOS_KERNELS_EXP_LOG_INL
#undef CAOS_KERNELS_EXP_LOG_INL
#else
#define CAOS_KERNELS_EXP_LOG_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// ln 2 in two parts; the first has few enough bits that its multiples by an exponent are exact.
inline constexpr double ln2_high = 0x1.62e42fefa3800p-1;
inline constexpr double ln2_low = 0x1.ef35793c76730p-45;

/// A polynomial by Horner's rule, product and sum rounded one by one: fused ones would give other
/// bits where they exist. Coefficients begin with that of the highest power.
template <class V, std::size_t N>
HWY_INLINE V polynomial(V x, const double (&coefficients)[N]) {
  const hn::DFromV<V> d;
  V value = hn::Set(d, coefficients[0]);
  for (std::size_t i = 1; i < N; ++i) {
    value = hn::Add(hn::Mul(value, x), hn::Set(d, coefficients[i]));
  }
  return value;
}

/// 2^n for whole n from -1022 to 1023.
template <class V>
HWY_INLINE V power_of_two(V n) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> bits;
  // Adding this puts the whole number into the low bits of the significand.
  const V shifted = hn::Add(n, hn::Set(d, 0x1.8p52 + 1023));
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(bits, shifted)));
}

/// e^x for x <= 0, within 1 unit in the last place; 0 below -708, where it would be subnormal.
template <class V>
HWY_INLINE V exp_of_negative(V x) {
  const hn::DFromV<V> d;
  constexpr double taylor[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                               1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                               1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};
  const V clamped = hn::Max(x, hn::Set(d, -708.0));
  const V n = hn::Round(hn::Mul(clamped, hn::Set(d, 0x1.71547652b82fep0)));
  const V rest =
      hn::Sub(hn::Sub(clamped, hn::Mul(n, hn::Set(d, ln2_high))), hn::Mul(n, hn::Set(d, ln2_low)));
  const V tail = hn::Mul(hn::Mul(rest, rest), polynomial(rest, taylor));
  const V value = hn::Add(hn::Set(d, 1.0), hn::Add(rest, tail));
  const V result = hn::Mul(value, power_of_two(n));
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, -708.0)), hn::Zero(d), result);
}

/// ln x for finite x >= 1, within 1 unit in the last place or so.
template <class V>
HWY_INLINE V log_of_large(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> bits;
  // x = m * 2^n with m in [sqrt(1/2), sqrt(2)), so that n = 0 near 1, where ln x is small.
  const auto raw = hn::BitCast(bits, x);
  const auto offset = hn::Set(bits, 0x3fe6a09e667f3bcdLL);
  const auto exponent = hn::ShiftRight<52>(hn::Sub(raw, offset));
  const V m = hn::BitCast(d, hn::Sub(raw, hn::ShiftLeft<52>(exponent)));
  const V n = hn::ConvertTo(d, exponent);
  // ln m = 2 artanh(s), s = (m - 1)/(m + 1), |s| < 0.172.
  constexpr double series[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                               2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};
  const V f = hn::Sub(m, hn::Set(d, 1.0));
  const V s = hn::Div(f, hn::Add(m, hn::Set(d, 1.0)));
  const V squared = hn::Mul(s, s);
  const V correction = hn::Mul(hn::Mul(s, squared), polynomial(squared, series));
  const V leading = hn::Add(s, s);
  return hn::Add(hn::Mul(n, hn::Set(d, ln2_high)),
                 hn::Add(leading, hn::Add(correction, hn::Mul(n, hn::Set(d, ln2_low)))));
}

}  // namespace
}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
