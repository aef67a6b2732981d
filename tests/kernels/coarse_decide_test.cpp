#include "caos/kernels/coarse_decide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

/// Similarities of one group, few different ones so that there are ties.
struct Group {
  Group(Rng& rng, std::size_t references)
      : values(references * coarse_group), errors(coarse_group) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values.data()[i] = static_cast<std::int16_t>(static_cast<int>(rng.below(41)) * 1000 - 20000);
    }
    for (std::int32_t& error : errors) error = static_cast<std::int32_t>(rng.below(30));
  }

  AlignedBuffer<std::int16_t> values;
  std::vector<std::int32_t> errors;
};

std::vector<std::int16_t> sorted_descending(const Group& group,
                                            std::span<const std::uint32_t> columns, std::size_t q) {
  std::vector<std::int16_t> sorted;
  for (const std::uint32_t c : columns) sorted.push_back(group.values.data()[c * coarse_group + q]);
  std::ranges::sort(sorted, std::greater());
  return sorted;
}

void expect_verdict(const CoarseVerdict& verdict, std::size_t q, std::int64_t sum,
                    std::int64_t slack, std::int64_t limit) {
  const bool reached = sum - slack > limit + 1;
  const bool missed = sum + slack < limit - 1;
  EXPECT_EQ(verdict.reached >> q & 1U, reached ? 1U : 0U);
  EXPECT_EQ(verdict.open >> q & 1U, reached || missed ? 0U : 1U);
}

TEST(DecideSums, AddsTheLargestAndComparesWithinTheError) {
  Rng rng(1);
  for (const std::size_t n : {1U, 3U, 12U, 70U}) {
    for (const std::uint32_t most : {1U, 2U, 3U, 4U, 5U, 7U, 10U, 11U, 64U}) {
      if (most > n) continue;
      const Group group(rng, 90);
      std::vector<std::uint32_t> columns(n);
      for (std::uint32_t& column : columns) column = static_cast<std::uint32_t>(rng.below(90));
      std::vector<CoarseRule> rules = {{1, limit_of_all}, {1, limit_of_none}};
      for (std::uint32_t k = 1; k <= most; ++k) {
        const std::size_t q = rng.below(coarse_group);
        const auto sorted = sorted_descending(group, columns, q);
        const std::int32_t sum = std::accumulate(sorted.begin(), sorted.begin() + k, 0);
        const auto reach = static_cast<std::int32_t>(k) * group.errors[q] + 3;
        rules.push_back({k, sum + (rng.below(2) == 0 ? reach : -reach) - 2 +
                                static_cast<std::int32_t>(rng.below(5))});
      }
      std::ranges::stable_sort(rules, {}, &CoarseRule::k);
      on_every_target([&] {
        AlignedBuffer<std::int16_t> largest(room_for_largest(most));
        std::vector<CoarseVerdict> verdicts(rules.size());
        decide_sums(group.values.data(), columns, group.errors.data(), rules, largest.data(),
                    verdicts.data());
        for (std::size_t q = 0; q < coarse_group; ++q) {
          const auto sorted = sorted_descending(group, columns, q);
          for (std::size_t j = 0; j < most; ++j) {
            ASSERT_EQ(largest.data()[j * coarse_group + q], sorted[j]);
          }
          for (std::size_t r = 0; r < rules.size(); ++r) {
            const std::int64_t sum =
                std::accumulate(sorted.begin(), sorted.begin() + rules[r].k, std::int64_t{0});
            expect_verdict(verdicts[r], q, sum, std::int64_t{group.errors[q]} * rules[r].k,
                           rules[r].limit);
          }
        }
      });
    }
  }
}

/// A limit that the error of some query just reaches, or just does not.
std::int32_t limit_near(Rng& rng, const Group& group, std::uint32_t column) {
  const std::size_t q = rng.below(coarse_group);
  const std::int32_t value = group.values.data()[column * coarse_group + q];
  const std::int32_t reach = group.errors[q] + 3;
  return value - reach +
         static_cast<std::int32_t>(rng.below(static_cast<std::size_t>(2 * reach + 1)));
}

TEST(DecideReferences, ReachesEveryLimitOrNoneWhereThatIsAsked) {
  Rng rng(3);
  const Group group(rng, 4);
  const std::vector<std::uint32_t> columns = {0, 3};
  const std::vector<std::int32_t> limits = {limit_of_all, limit_of_none, limit_of_none,
                                            limit_of_all};
  on_every_target([&] {
    std::vector<CoarseVerdict> verdicts(limits.size());
    decide_references(group.values.data(), columns, group.errors.data(), limits.data(), 2,
                      verdicts.data());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      EXPECT_EQ(verdicts[i].reached, limits[i] == limit_of_all ? ~std::uint32_t{0} : 0U);
      EXPECT_EQ(verdicts[i].open, 0U);
    }
  });
}

TEST(DecideReferences, ComparesEachReferenceWithItsLimits) {
  Rng rng(2);
  for (const std::size_t n : {0U, 1U, 5U, 40U}) {
    for (const std::size_t num_limits : {1U, 3U}) {
      const Group group(rng, 50);
      std::vector<std::uint32_t> columns(n);
      for (std::uint32_t& column : columns) column = static_cast<std::uint32_t>(rng.below(50));
      std::vector<std::int32_t> limits(n * num_limits);
      for (std::size_t i = 0; i < limits.size(); ++i) {
        limits[i] = limit_near(rng, group, columns[i / num_limits]);
      }
      on_every_target([&] {
        std::vector<CoarseVerdict> verdicts(limits.size());
        decide_references(group.values.data(), columns, group.errors.data(), limits.data(),
                          num_limits, verdicts.data());
        for (std::size_t i = 0; i < limits.size(); ++i) {
          for (std::size_t q = 0; q < coarse_group; ++q) {
            expect_verdict(verdicts[i], q,
                           group.values.data()[columns[i / num_limits] * coarse_group + q],
                           group.errors[q], limits[i]);
          }
        }
      });
    }
  }
}

TEST(SelectAtLeast, SetsTheBitsOfQueriesThatReachTheirLeast) {
  Rng rng(1);
  const auto draw = [&] {
    const std::size_t kind = rng.below(10);
    if (kind == 0) return std::int16_t{-32768};
    if (kind == 1) return std::int16_t{32767};
    return static_cast<std::int16_t>(static_cast<int>(rng.below(9)) - 4);
  };
  for (const std::size_t n : {0U, 1U, 2U, 33U}) {
    AlignedBuffer<std::int16_t> similarities(n * coarse_group + 1);
    AlignedBuffer<std::int16_t> least(coarse_group);
    for (std::size_t i = 0; i < n * coarse_group; ++i) similarities.data()[i] = draw();
    for (std::size_t q = 0; q < coarse_group; ++q) least.data()[q] = draw();
    on_every_target([&] {
      std::vector<std::uint32_t> bits(n + 1, 77);
      select_at_least(similarities.data(), n, least.data(), bits.data());
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t q = 0; q < coarse_group; ++q) {
          const bool reached = similarities.data()[r * coarse_group + q] >= least.data()[q];
          EXPECT_EQ(bits[r] >> q & 1U, reached ? 1U : 0U);
        }
      }
      EXPECT_EQ(bits[n], 77U);
    });
  }
}

}  // namespace
}  // namespace caos::kernels
