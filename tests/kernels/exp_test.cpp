#include "caos/kernels/exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

TEST(ExpOfNegative, IsWithinOneUnitInTheLastPlaceAndTheSameOnEveryTarget) {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = -708 * std::pow(rng.uniform(), 6);
    const long double exact = std::exp(static_cast<long double>(x));
    const double unit =
        std::nextafter(static_cast<double>(exact), 2.0) - static_cast<double>(exact);
    const double first = exp_of_negative(x);
    ASSERT_LE(std::abs(static_cast<double>(first - exact)), unit) << x;
    on_every_target([&] { ASSERT_EQ(exp_of_negative(x), first) << x; });
  }
}

TEST(ExpOfNegative, KnowsItsEnds) {
  on_every_target([] {
    EXPECT_EQ(exp_of_negative(0.0), 1.0);
    EXPECT_EQ(exp_of_negative(-0.0), 1.0);
    EXPECT_GT(exp_of_negative(-708.0), 0.0);
    EXPECT_EQ(exp_of_negative(std::nextafter(-708.0, -1e9)), 0.0);
    EXPECT_EQ(exp_of_negative(-1e300), 0.0);
    EXPECT_EQ(exp_of_negative(-std::numeric_limits<double>::infinity()), 0.0);
  });
}

TEST(LogOfLarge, IsWithinTwoUnitsInTheLastPlaceAndTheSameOnEveryTarget) {
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp(709 * std::pow(rng.uniform(), 8));
    const long double exact = std::log(static_cast<long double>(x));
    const double rounded = static_cast<double>(exact);
    const double unit = std::nextafter(rounded, 1e9) - rounded;
    const double first = log_of_large(x);
    ASSERT_LE(std::abs(static_cast<double>(first - exact)), 2 * unit) << x;
    on_every_target([&] { ASSERT_EQ(log_of_large(x), first) << x; });
  }
}

TEST(LogOfLarge, KnowsItsEnds) {
  on_every_target([] {
    EXPECT_EQ(log_of_large(1.0), 0.0);
    EXPECT_DOUBLE_EQ(log_of_large(2.0), std::log(2.0));
    EXPECT_DOUBLE_EQ(log_of_large(std::numeric_limits<double>::max()),
                     std::log(std::numeric_limits<double>::max()));
  });
}

TEST(LogOfPositive, IsWithinTwoUnitsInTheLastPlaceAndTheSameOnEveryTarget) {
  Rng rng(3);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp(-708 * std::pow(rng.uniform(), 8));
    const long double exact = std::log(static_cast<long double>(x));
    const double rounded = static_cast<double>(exact);
    const double unit = rounded - std::nextafter(rounded, -1e9);
    const double first = log_of_positive(x);
    ASSERT_LE(std::abs(static_cast<double>(first - exact)), 2 * unit) << x;
    on_every_target([&] { ASSERT_EQ(log_of_positive(x), first) << x; });
  }
  EXPECT_EQ(log_of_positive(1.0), 0.0);
  EXPECT_DOUBLE_EQ(log_of_positive(std::numeric_limits<double>::min()),
                   std::log(std::numeric_limits<double>::min()));
}

}  // namespace
}  // namespace caos::kernels
