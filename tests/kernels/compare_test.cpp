#include "caos/kernels/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> draw(Rng& rng, std::size_t count) {
  constexpr double values[] = {0.0, -0.0, 0.5, 1.0, -1.0, infinity, -infinity};
  std::vector<double> drawn(count);
  std::ranges::generate(drawn, [&] { return values[rng.below(std::size(values))]; });
  return drawn;
}

TEST(CountAtMost, AddsOneWhereTheScoreIsAtMostItsThreshold) {
  for (std::size_t count = 0; count < 70; ++count) {
    Rng rng(count);
    const Guarded<double> scores(draw(rng, count));
    const Guarded<double> thresholds(draw(rng, count));
    on_every_target([&] {
      const Guarded<std::uint32_t> counts(count);
      for (std::size_t j = 0; j < count; ++j) counts.data()[j] = static_cast<std::uint32_t>(j);
      count_at_most(scores.data(), thresholds.data(), count, counts.data());
      for (std::size_t j = 0; j < count; ++j) {
        EXPECT_EQ(counts.data()[j], j + (scores.data()[j] <= thresholds.data()[j] ? 1 : 0));
      }
    });
  }
}

TEST(CountAtMost, WrapsNowhereBelowTheLargestCount) {
  std::vector<std::uint32_t> counts(20, std::numeric_limits<std::uint32_t>::max() - 1);
  const std::vector<double> ones(20, 1.0);
  count_at_most(ones.data(), ones.data(), 20, counts.data());
  EXPECT_EQ(counts, std::vector<std::uint32_t>(20, std::numeric_limits<std::uint32_t>::max()));
}

template <typename T>
class CollectBelow : public testing::Test {
 protected:
  using Positions = std::vector<std::uint32_t>;

  static Positions oracle(const std::vector<T>& values, const std::vector<double>& limits) {
    Positions found;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      if (double{values[i]} < limits[i]) found.push_back(i);
    }
    return found;
  }

  static void expect_oracle(const std::vector<T>& values, const std::vector<double>& limits) {
    const Guarded<T> v(values);
    const Guarded<double> l(limits);
    on_every_target([&] {
      const Guarded<std::uint32_t> found(values.size());
      const std::size_t count = collect_below(v.data(), l.data(), values.size(), found.data());
      EXPECT_EQ(Positions(found.data(), found.data() + count), oracle(values, limits));
      EXPECT_EQ(count_below(v.data(), l.data(), values.size()), count);
    });
  }
};

using ScoreTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(CollectBelow, ScoreTypes);

TYPED_TEST(CollectBelow, FindsAllInAscendingOrder) {
  for (std::size_t count = 0; count < 150; ++count) {
    Rng rng(count);
    const auto drawn = draw(rng, count);
    this->expect_oracle({drawn.begin(), drawn.end()}, draw(rng, count));
  }
}

TYPED_TEST(CollectBelow, FindsALoneOne) {
  for (std::size_t where = 0; where < 70; ++where) {
    std::vector<double> limits(70, 1.0);
    limits[where] = std::nextafter(1.0, 2.0);  // narrowed to float it would be no larger than 1
    this->expect_oracle(std::vector<TypeParam>(70, 1), limits);
  }
}

}  // namespace
}  // namespace caos::kernels
