#include <gtest/gtest.h>

#include "caos/sorted_scores.hpp"

namespace {

using caos::Exceedances;

TEST(PValue, CountsTheCandidateItself) {
  EXPECT_DOUBLE_EQ(caos::p_value({.greater = 0, .equal = 0}, 9), 0.1);
  EXPECT_DOUBLE_EQ(caos::p_value({.greater = 3, .equal = 2}, 9), 0.6);
  EXPECT_DOUBLE_EQ(caos::p_value({.greater = 9, .equal = 0}, 9), 1.0);
  EXPECT_DOUBLE_EQ(caos::p_value({}, 0), 1.0);
}

TEST(SmoothedPValue, SharesTiesOutAtRandom) {
  const Exceedances e{.greater = 3, .equal = 2};
  EXPECT_DOUBLE_EQ(caos::smoothed_p_value(e, 9, 0.0), 0.3);
  EXPECT_DOUBLE_EQ(caos::smoothed_p_value(e, 9, 0.5), 0.45);
  EXPECT_LT(caos::smoothed_p_value(e, 9, 0.999), caos::p_value(e, 9));
}

TEST(Conforms, AlwaysHoldsBeyondTheLastRank) {
  EXPECT_TRUE(caos::conforms({}, 5, 6));
  EXPECT_FALSE(caos::conforms({}, 5, 5));
  EXPECT_TRUE(caos::conforms({.greater = 0, .equal = 1}, 5, 5));
}

}  // namespace
