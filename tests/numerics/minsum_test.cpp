#include "caos/numerics/minsum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

#include "caos/error.hpp"
#include "tests/support/problem.hpp"

namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(MinSum, AddsTheSmallest) {
  const std::vector<double> pool = {4, 1, 3, 1};
  EXPECT_EQ(caos::minsum(pool, 1), 1);
  EXPECT_EQ(caos::minsum(pool, 2), 2);
  EXPECT_EQ(caos::minsum(pool, 4), 9);
}

TEST(MinSum, AddsInAscendingOrder) {
  // 1 + 1e-16 + 1e-16 loses both small terms; 1e-16 + 1e-16 + 1 does not.
  const std::vector<double> pool = {1.0, 1e-16, 1e-16};
  EXPECT_NE(caos::minsum(pool, 3), 1.0);
}

TEST(MinSum, RefusesKOutsideThePool) {
  const std::vector<double> pool = {1, 2};
  EXPECT_THROW(static_cast<void>(caos::minsum(pool, 0)), caos::Error);
  EXPECT_THROW(static_cast<void>(caos::minsum(pool, 3)), caos::Error);
  EXPECT_THROW(static_cast<void>(caos::minsum_without(pool, 2, 0)), caos::Error);
  EXPECT_THROW(static_cast<void>(caos::minsum_without(pool, 1, 2)), caos::Error);
}

RC_GTEST_PROP(MinSum, HasTheBitsOfTheDefinitionWhateverTheOrder, ()) {
  auto pool = *rc::gen::nonEmpty(rc::gen::container<oracle::Pool>(problem::score()));
  const auto k = *rc::gen::inRange<std::size_t>(1, pool.size() + 1);
  const double expected = oracle::minsum(pool, k);
  RC_ASSERT(bits(caos::minsum(pool, k)) == bits(expected));
  std::ranges::reverse(pool);
  RC_ASSERT(bits(caos::minsum(pool, k)) == bits(expected));
}

RC_GTEST_PROP(MinSumWithout, LeavesOutOneOccurrence, ()) {
  auto pool = *rc::gen::container<oracle::Pool>(problem::score());
  pool.push_back(0.1);
  pool.push_back(*problem::score());
  const auto left_out = *rc::gen::inRange<std::size_t>(0, pool.size());
  const auto k = *rc::gen::inRange<std::size_t>(1, pool.size());
  RC_ASSERT(bits(caos::minsum_without(pool, k, left_out)) ==
            bits(oracle::minsum(oracle::without(pool, left_out), k)));
}

RC_GTEST_PROP(MinSumRows, HasTheBitsOfMinSumForFloat64AndFloat32, ()) {
  const auto cols = *rc::gen::inRange<std::size_t>(1, 40);
  const auto rows = *rc::gen::inRange<std::size_t>(0, 9);
  const auto k = *rc::gen::inRange<std::size_t>(1, cols + 1);
  const oracle::Table table = *problem::table(rows, cols);
  std::vector<double> wide;
  std::vector<float> narrow;
  for (const oracle::Pool& row : table) {
    wide.insert(wide.end(), row.begin(), row.end());
    for (const double value : row) narrow.push_back(static_cast<float>(value));
  }
  std::vector<double> sums(rows);
  caos::minsum_rows(caos::MatrixView<const double>(wide.data(), rows, cols), k, sums);
  for (std::size_t r = 0; r < rows; ++r) {
    RC_ASSERT(bits(sums[r]) == bits(oracle::minsum(table[r], k)));
  }
  caos::minsum_rows(caos::MatrixView<const float>(narrow.data(), rows, cols), k, sums);
  for (std::size_t r = 0; r < rows; ++r) {
    const oracle::Pool widened(narrow.begin() + static_cast<std::ptrdiff_t>(r * cols),
                               narrow.begin() + static_cast<std::ptrdiff_t>((r + 1) * cols));
    RC_ASSERT(bits(sums[r]) == bits(oracle::minsum(widened, k)));
  }
}

}  // namespace
