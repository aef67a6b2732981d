#include "caos/kernels/log_sum_exp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

std::vector<float> some_values(std::size_t count, double spread, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>((rng.uniform() - 0.5) * spread);
  return values;
}

long double plain(const std::vector<float>& values) {
  long double sum = 0;
  const long double largest = *std::max_element(values.begin(), values.end());
  for (const float value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

TEST(LogSumExp, IsThePlainSumAndTheSameOnEveryTarget) {
  for (std::size_t count = 1; count < 70; ++count) {
    for (const double spread : {0.0, 1.0, 50.0, 4000.0}) {
      const auto values = some_values(count, spread, count);
      const double first = log_sum_exp(values.data(), count);
      ASSERT_NEAR(first, static_cast<double>(plain(values)), 1e-13 * (1 + spread)) << count;
      on_every_target([&] { ASSERT_EQ(log_sum_exp(values.data(), count), first) << count; });
    }
  }
}

TEST(LogSumExp, AWholeVocabularyIsAccurate) {
  const auto values = some_values(32003, 30, 7);
  EXPECT_NEAR(log_sum_exp(values.data(), values.size()), static_cast<double>(plain(values)), 1e-12);
}

TEST(LogSumExp, KnowsItsEnds) {
  const float none = -std::numeric_limits<float>::infinity();
  const std::vector<float> one_of_many(100, none);
  on_every_target([&] {
    std::vector<float> values = one_of_many;
    values[37] = -3;
    EXPECT_EQ(log_sum_exp(values.data(), values.size()), -3.0);
    const std::vector<float> large(4, 3e38F);
    EXPECT_EQ(log_sum_exp(large.data(), 4), static_cast<double>(3e38F) + std::log(4.0));
  });
}

}  // namespace
}  // namespace caos::kernels
