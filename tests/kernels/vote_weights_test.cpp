#include "caos/kernels/vote_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "caos/kernels/exp.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

TEST(VoteWeights, AreRoundedExponentialsOnEveryTarget) {
  Rng rng(3);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> similarities(count);
    for (double& value : similarities) value = 2.1 * rng.uniform() - 1;
    for (const double temperature : {0.01, 0.1, 3.0}) {
      std::vector<std::int64_t> expected;
      for (const double value : similarities) {
        const double below = (std::min(value, 1.0) - 1) / temperature;
        expected.push_back(std::llrint(exp_of_negative(below) * 0x1p40));
      }
      on_every_target([&] {
        std::vector<std::int64_t> weights(count);
        vote_weights(similarities.data(), count, temperature, weights.data());
        ASSERT_EQ(weights, expected);
      });
    }
  }
}

TEST(VoteWeights, KnowTheirEnds) {
  const std::vector<double> similarities = {1, 1.0000001, -1, 0.5};
  on_every_target([&] {
    std::vector<std::int64_t> weights(4);
    vote_weights(similarities.data(), 4, 1e-6, weights.data());
    EXPECT_EQ(weights, (std::vector<std::int64_t>{vote_unit, vote_unit, 0, 0}));
  });
}

}  // namespace
}  // namespace caos::kernels
