#include "caos/landmarks/points/point_quantile.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "caos/error.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::ErrorQuantiles;
using caos::WeightedError;

/// Every error as often as its weight says, with 60 copies for a weight of 1.
double slow_quantile(const std::vector<WeightedError>& errors, std::size_t percent) {
  std::vector<double> copies;
  for (const WeightedError& error : errors) {
    copies.insert(copies.end(), 60 / error.shared_by, error.error);
  }
  std::ranges::sort(copies);
  for (std::size_t count = 1; count <= copies.size(); ++count) {
    if (100 * count >= percent * copies.size()) return copies[count - 1];
  }
  return copies.back();
}

RC_GTEST_PROP(PointQuantiles, CountWeights, ()) {
  const auto values =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9)));
  std::vector<WeightedError> errors;
  for (const int value : values) {
    const auto shared_by = *rc::gen::element<std::size_t>(1, 2, 3, 4, 5, 6, 10);
    errors.push_back({.error = static_cast<double>(value), .shared_by = shared_by});
  }
  const ErrorQuantiles quantiles(errors);
  for (const std::size_t percent : {1U, 10U, 33U, 50U, 90U, 99U, 100U}) {
    RC_ASSERT(quantiles.at(percent) == slow_quantile(errors, percent));
  }
}

TEST(PointQuantiles, AreErrorsThatOccur) {
  std::vector<WeightedError> errors;
  for (const double error : {4.0, 1.0, 3.0, 2.0, 10.0, 6.0, 5.0, 9.0, 8.0, 7.0}) {
    errors.push_back({.error = error});
  }
  EXPECT_EQ(ErrorQuantiles(errors).at(50), 5);
  EXPECT_EQ(ErrorQuantiles(errors).at(90), 9);
  EXPECT_EQ(ErrorQuantiles(errors).at(91), 10);
  EXPECT_EQ(ErrorQuantiles(errors).at(1), 1);
  EXPECT_EQ(ErrorQuantiles({{{.error = 1}, {.error = 2}}}).at(50), 1);
}

/// Fifteen thirds are five, which sums of doubles need not be.
TEST(PointQuantiles, AreExactWhereWeightsAreThirds) {
  std::vector<WeightedError> errors;
  for (std::size_t i = 0; i < 30; ++i) {
    errors.push_back({.error = static_cast<double>(i), .shared_by = 3});
  }
  EXPECT_EQ(ErrorQuantiles(errors).at(50), 14);
  EXPECT_EQ(ErrorQuantiles(errors).at(90), 26);
}

TEST(PointQuantiles, NeedAnErrorAndAPercentage) {
  using caos::ErrorKind;
  caos::test::expect_error([] { (void)ErrorQuantiles({}); }, caos::ErrorKind::invalid_input,
                           {"at least one error"});
  const ErrorQuantiles one({{{.error = 1}}});
  for (const std::size_t percent : {0U, 101U}) {
    caos::test::expect_error([&] { (void)one.at(percent); }, caos::ErrorKind::invalid_input,
                             {"1 to 100 percent"});
  }
}

}  // namespace
