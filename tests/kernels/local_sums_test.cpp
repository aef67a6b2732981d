#include "caos/kernels/local_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

struct List {
  std::vector<std::uint32_t> rows{};
  std::vector<double> weights{};
};

TEST(LocalSums, AreThoseOfEachListInItsOrderBitForBit) {
  Rng rng(3);
  constexpr std::size_t num_rows = 40;
  std::vector<double> rows(num_rows * local_values);
  for (double& value : rows) value = rng.below(4) == 0 ? 0 : rng.uniform() - 0.5;
  for (std::size_t count = 0; count <= 11; ++count) {
    std::vector<List> lists(count);
    std::vector<WeightedRows> views;
    std::vector<double> expected(count * local_values, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t length = rng.below(3) == 0 ? 0 : rng.below(30);
      for (std::size_t n = 0; n < length; ++n) {
        lists[i].rows.push_back(static_cast<std::uint32_t>(rng.below(num_rows)));
        lists[i].weights.push_back(rng.uniform());
        for (std::size_t v = 0; v < local_values; ++v) {
          expected[i * local_values + v] +=
              lists[i].weights[n] * rows[lists[i].rows[n] * local_values + v];
        }
      }
      views.push_back({lists[i].rows.data(), lists[i].weights.data(), length});
    }
    on_every_target([&] {
      std::vector<double> found(expected.size(), -1);
      local_sums(rows.data(), views, found.data());
      EXPECT_EQ(found, expected);
    });
  }
}

}  // namespace
}  // namespace caos::kernels
