#include "caos/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "caos/core/random_use.hpp"

namespace {

using caos::RandomUse;
using caos::Rng;

TEST(Rng, GivesThePublishedValuesOfSplitMix64) {
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317U);
  EXPECT_EQ(rng.next(), 3203168211198807973U);
  EXPECT_EQ(rng.next(), 9817491932198370423U);
}

TEST(Rng, IsUniformOnTheUnitInterval) {
  Rng rng(5);
  constexpr int draws = 100'000;
  std::array<int, 10> bins{};
  for (int i = 0; i < draws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++bins[static_cast<std::size_t>(u * 10)];
  }
  for (const int count : bins) EXPECT_NEAR(count, draws / 10, 500);  // five standard deviations
}

TEST(Rng, DrawsEveryNumberBelowABoundEquallyOften) {
  Rng rng(6);
  std::array<int, 7> bins{};
  for (int i = 0; i < 70'000; ++i) ++bins[rng.below(bins.size())];
  for (const int count : bins) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, FavorsNoNumberWhereTheBoundIsAlmostAllThereIs) {
  // Of 2^64 draws, 2^62 lie past the only multiple of the bound: taken modulo the bound, they would
  // make half of all results those below 2^62, not a third.
  constexpr std::uint64_t third = std::uint64_t{1} << 62;
  Rng rng(8);
  int small = 0;
  for (int i = 0; i < 30'000; ++i) small += rng.below(3 * third) < third ? 1 : 0;
  EXPECT_NEAR(small, 10'000, 500);
}

TEST(Rng, ShufflesIntoEveryOrderEquallyOften) {
  Rng rng(7);
  std::array<int, 6> orders{};
  for (int i = 0; i < 60'000; ++i) {
    std::array<int, 3> cards = {0, 1, 2};
    rng.shuffle(std::span<int>(cards));
    ++orders[static_cast<std::size_t>(cards[0] * 2 + (cards[1] > cards[2] ? 1 : 0))];
  }
  for (const int count : orders) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Rng, HasAStreamOfItsOwnForEachIndex) {
  std::vector<std::uint64_t> firsts;
  for (std::uint64_t index = 0; index < 1000; ++index) {
    firsts.push_back(Rng::stream(3, index).next());
  }
  EXPECT_EQ(firsts[17], Rng::stream(3, 17).next());
  EXPECT_NE(firsts[17], Rng::stream(4, 17).next());
  // No seed and index are those of another pair the other way round.
  EXPECT_NE(Rng::stream(1, 2).next(), Rng::stream(2, 1).next());
  EXPECT_NE(Rng::stream(0, 3).next(), Rng::stream(3, 0).next());
  std::ranges::sort(firsts);
  EXPECT_EQ(std::ranges::adjacent_find(firsts), firsts.end());
}

TEST(Rng, HasAStreamOfItsOwnForEachUseOfASeed) {
  std::vector<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    firsts.push_back(Rng(seed).next());
    for (std::uint64_t index = 0; index < 50; ++index) {
      firsts.push_back(Rng::stream(seed, index).next());
      for (const auto use :
           {RandomUse::identity_orders, RandomUse::generated_examples, RandomUse::review_order}) {
        firsts.push_back(stream_for(use, seed, index).next());
      }
    }
  }
  EXPECT_EQ(stream_for(RandomUse::review_order, 4, 9).next(),
            stream_for(RandomUse::review_order, 4, 9).next());
  std::ranges::sort(firsts);
  EXPECT_EQ(std::ranges::adjacent_find(firsts), firsts.end());
}

}  // namespace
