#include "caos/kernels/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

template <typename T>
class FindNotAScore : public testing::Test {
 protected:
  /// The least score that T can hold.
  static T least() {
    return static_cast<T>(std::max(least_score, double{std::numeric_limits<T>::lowest()}));
  }

  /// Scores of every kind.
  static std::vector<T> scores(std::size_t count) {
    const T kinds[] = {T(1), T(-0.0), std::numeric_limits<T>::infinity(), least(),
                       std::numeric_limits<T>::denorm_min()};
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = kinds[i % std::size(kinds)];
    return values;
  }

  static void expect_found(const std::vector<T>& values, std::size_t where) {
    const Guarded<T> guarded(values);
    on_every_target([&] { EXPECT_EQ(find_not_a_score(guarded.data(), values.size()), where); });
  }
};

using ScoreTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FindNotAScore, ScoreTypes);

TYPED_TEST(FindNotAScore, ReturnsTheCountWhenAllAreScores) {
  for (std::size_t count = 0; count < 300; ++count) this->expect_found(this->scores(count), count);
}

TYPED_TEST(FindNotAScore, FindsTheFirstNaNOrMinusInfinity) {
  using Limits = std::numeric_limits<TypeParam>;
  constexpr std::size_t count = 293;
  for (std::size_t where = 0; where < count; ++where) {
    for (const TypeParam bad : {Limits::quiet_NaN(), -Limits::quiet_NaN(), -Limits::infinity()}) {
      auto values = this->scores(count);
      values[where] = values.back() = bad;
      this->expect_found(values, where);
    }
  }
}

TEST(LeastScore, FindsWhatIsBelowTheLeastScore) {
  std::vector<double> values(40, least_score);
  values[33] = std::nextafter(least_score, -INFINITY);
  on_every_target([&] { EXPECT_EQ(find_not_a_score(values.data(), values.size()), 33U); });
}

}  // namespace
}  // namespace caos::kernels
