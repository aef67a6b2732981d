#include "caos/numerics/float16.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "caos/rng.hpp"

namespace caos {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The number with these bits, by the definition of binary16.
double value_of(unsigned bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10U & 0x1fU);
  const auto mantissa = static_cast<double>(bits & 0x3ffU);
  if (exponent == 31) return mantissa == 0 ? sign * infinity : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

/// The nearest of all finite numbers, found by looking at each; of two, the one with even bits.
/// Beyond the largest, the next step would be 65536, which is infinity.
unsigned nearest(double magnitude) {
  static const std::vector<double> values = [] {
    std::vector<double> all;
    for (unsigned bits = 0; bits < 0x7c00U; ++bits) all.push_back(value_of(bits));
    all.push_back(65536);
    return all;
  }();
  unsigned best = 0;
  for (unsigned bits = 0; bits <= 0x7c00U; ++bits) {
    const auto distance = [&](unsigned of) { return std::abs(values[of] - magnitude); };
    const bool closer = distance(bits) < distance(best);
    const bool tie = distance(bits) == distance(best) && bits % 2 == 0;
    if (closer || tie) best = bits;
  }
  return best;
}

void expect_nearest(float value) {
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const unsigned expected = sign | nearest(std::abs(double{value}));
  EXPECT_EQ(to_float16(value), expected) << value;
}

TEST(Float16, GivesEveryNumberBackExactly) {
  for (unsigned bits = 0; bits < 65'536U; ++bits) {
    const float value = from_float16(static_cast<std::uint16_t>(bits));
    const double expected = value_of(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(from_float16(to_float16(value)))) << bits;
      continue;
    }
    EXPECT_EQ(double{value}, expected) << bits;
    EXPECT_EQ(std::signbit(value), (bits & 0x8000U) != 0) << bits;
    EXPECT_EQ(to_float16(value), bits);
  }
}

TEST(Float16, RoundsToTheNearestAndTiesToEven) {
  std::vector<unsigned> places = {0, 1, 2, 3, 0x3fe, 0x3ff, 0x400, 0x401, 0x7bfd, 0x7bfe, 0x7bff};
  Rng rng(16);
  for (int i = 0; i < 60; ++i) places.push_back(static_cast<unsigned>(rng.below(0x7bff)));
  for (const unsigned bits : places) {
    const double next = bits == 0x7bffU ? 65536 : value_of(bits + 1);
    const auto middle = static_cast<float>((value_of(bits) + next) / 2);
    for (const float value :
         {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, infinity)}) {
      expect_nearest(value);
      expect_nearest(-value);
    }
  }
}

TEST(Float16, RoundsNumbersOfAnySize) {
  Rng rng(17);
  for (int i = 0; i < 300; ++i) {
    const int exponent = static_cast<int>(rng.below(46)) - 28;
    const auto value = static_cast<float>(std::ldexp(0.5 + rng.uniform() / 2, exponent));
    expect_nearest(value);
  }
}

TEST(Float16, HasZeroAndInfinityBeyondItsRange) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(to_float16(0.0F), 0U);
  EXPECT_EQ(to_float16(-0.0F), 0x8000U);
  EXPECT_EQ(to_float16(least), 0U);
  EXPECT_EQ(to_float16(-least), 0x8000U);
  EXPECT_EQ(to_float16(0x1p-25F), 0U);
  EXPECT_EQ(to_float16(std::nextafter(0x1p-25F, 1.0F)), 1U);
  EXPECT_EQ(to_float16(65519.996F), 0x7bffU);
  EXPECT_EQ(to_float16(65520.0F), 0x7c00U);
  EXPECT_EQ(to_float16(std::numeric_limits<float>::max()), 0x7c00U);
  EXPECT_EQ(to_float16(infinity), 0x7c00U);
  EXPECT_EQ(to_float16(-infinity), 0xfc00U);
}

}  // namespace
}  // namespace caos
