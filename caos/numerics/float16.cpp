#include "caos/numerics/float16.hpp"

#include <bit>

namespace caos {
namespace {

constexpr std::uint32_t float_infinity = 0x7f800000U;
constexpr std::uint32_t half_infinity = 0x7c00U;
constexpr std::uint32_t smallest_normal = 0x38800000U;  // 2^-14 as a float
constexpr std::uint32_t to_infinity = 0x477ff000U;      // 65520, halfway beyond the largest
constexpr std::uint32_t rebias = (127U - 15U) << 23U;

/// Divides by 2^shift, ties to even.
std::uint32_t shifted(std::uint32_t value, unsigned shift) {
  const std::uint32_t whole = value >> shift;
  const std::uint32_t rest = value & ((1U << shift) - 1U);
  const std::uint32_t half = 1U << (shift - 1U);
  const bool up = rest > half || (rest == half && (whole & 1U) != 0);
  return whole + (up ? 1U : 0U);
}

/// Of magnitudes below 2^-14, in units of 2^-24.
std::uint32_t subnormal(std::uint32_t magnitude) {
  const std::uint32_t exponent = magnitude >> 23U;
  if (exponent < 102U) return 0;  // below 2^-25, half a unit
  const std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
  return shifted(mantissa, 126U - exponent);
}

std::uint32_t half_of(std::uint32_t magnitude) {
  if (magnitude > float_infinity) return half_infinity | 0x200U;
  if (magnitude >= to_infinity) return half_infinity;
  if (magnitude < smallest_normal) return subnormal(magnitude);
  return shifted(magnitude - rebias, 13U);  // a carry goes into the exponent, as it should
}

}  // namespace

std::uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits >> 16U & 0x8000U) | half_of(bits & 0x7fffffffU));
}

float from_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= half_infinity) {
    return std::bit_cast<float>(sign | float_infinity | (magnitude & 0x3ffU) << 13U);
  }
  if (magnitude >= 0x400U) return std::bit_cast<float>(sign | ((magnitude << 13U) + rebias));
  const float tiny = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -tiny : tiny;
}

}  // namespace caos
