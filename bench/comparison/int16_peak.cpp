#include "bench/comparison/int16_peak.hpp"

#include <cstdint>

#include "bench/comparison/measured.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/comparison/int16_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// A register that the compiler must believe to have changed: it can neither do the same product
// once for all nor move it out of the loop, and no instruction is added. Where vectors are no
// registers, memory stands in.
#if HWY_ARCH_X86
#define CAOS_REGISTER "+v"
#elif HWY_ARCH_ARM_A64
#define CAOS_REGISTER "+w"
#endif

HWY_BEFORE_NAMESPACE();
namespace caos::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Vector>
HWY_INLINE void change(Vector& vector) {
#if defined(CAOS_REGISTER) && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  asm volatile("" : CAOS_REGISTER(vector.raw));
#else
  asm volatile("" : "+m"(vector));
#endif
}

}  // namespace

/// Multiply-adds done; the sums go to `out` so that they are needed. Twelve sums are independent
/// and leave registers for the factors and a product, sixteen in all.
HWY_NOINLINE std::uint64_t multiply_add(std::uint64_t rounds, std::int32_t* out) {
#if HWY_TARGET == HWY_SCALAR
  // No vectors: the plain loop.
  std::int32_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    auto a = static_cast<std::int16_t>(i);
    asm volatile("" : "+r"(a));
    sum += a * 3;
  }
  *out = sum;
  return rounds;
#else
  const hn::ScalableTag<std::int16_t> narrow;
  const hn::Repartition<std::int32_t, decltype(narrow)> wide;
  auto a = hn::Set(narrow, std::int16_t{3});
  auto b = hn::Set(narrow, std::int16_t{5});
  using Sum = hn::Vec<decltype(wide)>;
  Sum s0 = hn::Zero(wide), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
  Sum s6 = s0, s7 = s0, s8 = s0, s9 = s0, s10 = s0, s11 = s0;
  Sum unused = s0;
  const auto step = [&](Sum& sum) HWY_ATTR {
    change(a);
    sum = hn::ReorderWidenMulAccumulate(wide, a, b, sum, unused);
    change(sum);
  };
  for (std::uint64_t i = 0; i < rounds; ++i) {
    step(s0), step(s1), step(s2), step(s3), step(s4), step(s5);
    step(s6), step(s7), step(s8), step(s9), step(s10), step(s11);
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  const auto rest = hn::Add(hn::Add(s8, s9), hn::Add(s10, s11));
  *out = hn::GetLane(hn::Add(hn::Add(sum, rest), unused));
  return rounds * 12 * hn::Lanes(narrow);
#endif
}

}  // namespace caos::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

namespace caos::bench {
namespace {

HWY_EXPORT(multiply_add);

#if HWY_ARCH_X86
/// The same with one instruction for product and sum, which this Highway does not use.
__attribute__((target("avx512f,avx512bw,avx512vnni"), noinline)) std::uint64_t multiply_add_vnni(
    std::uint64_t rounds, std::int32_t* out) {
  __m512i a = _mm512_set1_epi16(3);
  const __m512i b = _mm512_set1_epi16(5);
  __m512i s[12] = {};
  for (std::uint64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (auto& sum : s) {
      asm volatile("" : "+v"(a));
      sum = _mm512_dpwssd_epi32(sum, a, b);
    }
  }
  for (int i = 1; i < 12; ++i) s[0] = _mm512_add_epi32(s[0], s[i]);
  *out = _mm_cvtsi128_si32(_mm512_castsi512_si128(s[0]));
  return rounds * 12 * 32;
}
#endif

template <typename Loop>
double speed(const Loop& loop) {
  std::int32_t sum = 0;
  std::uint64_t done = 0;
  const Measured took = measure([&] { done = loop(std::uint64_t{5'000'000}, &sum); });
  asm volatile("" : : "r"(sum));
  return static_cast<double>(done) / took.cpu_seconds;
}

}  // namespace

Int16Peak highway_peak() {
  Int16Peak best;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const double found = speed(
        [](auto rounds, auto* sum) { return HWY_DYNAMIC_DISPATCH(multiply_add)(rounds, sum); });
    if (found > best.multiply_adds_per_second) best = {hwy::TargetName(target), found};
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  return best;
}

Int16Peak vnni_peak() {
#if HWY_ARCH_X86
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw")) {
    return {"AVX512-VNNI", speed(multiply_add_vnni)};
  }
#endif
  return {"none", 0};
}

}  // namespace caos::bench

#endif
