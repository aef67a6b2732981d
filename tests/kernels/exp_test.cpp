#include "caos/kernels/exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "caos/core/rng.hpp"
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

}  // namespace
}  // namespace caos::kernels
