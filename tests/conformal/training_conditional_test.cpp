#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "caos/coverage_law.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"
#include "caos/rng.hpp"

namespace {

__extension__ using Wide = unsigned __int128;

using caos::conditional_rank;
using caos::Confidence;
using caos::Miscoverage;
using caos::Score;
using caos::SortedScores;
using caos::TrainingConditional;

const Miscoverage tenth = Miscoverage::parse("0.1");

Wide choose(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  Wide result = 1;
  for (std::size_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// In how many of all draws of n from a pool of n + remaining the r-th smallest leaves at least
/// `covered` of the remaining below it, counted draw by draw by the place of the r-th smallest.
Wide draws_that_cover(std::size_t n, std::size_t remaining, std::size_t rank, std::size_t covered) {
  Wide draws = 0;
  for (std::size_t place = covered + rank; place <= n + remaining; ++place) {
    draws += choose(place - 1, rank - 1) * choose(n + remaining - place, n - rank);
  }
  return draws;
}

RC_GTEST_PROP(ConditionalRank, OfAPoolIsTheDefinition, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 30);
  const auto remaining = *rc::gen::inRange<std::size_t>(1, 30);
  const auto percent = *rc::gen::inRange<std::size_t>(1, 100);
  const auto confidence = *rc::gen::inRange<std::size_t>(1, 100);
  const std::size_t covered = remaining - remaining * percent / 100;
  std::size_t rank = 1;
  while (rank <= n && draws_that_cover(n, remaining, rank, covered) * 100 <
                          choose(n + remaining, n) * confidence) {
    ++rank;
  }
  const TrainingConditional what{
      .confidence = Confidence::from_double(static_cast<double>(confidence) / 100),
      .remaining = remaining};
  RC_ASSERT(conditional_rank(n, Miscoverage::from_double(static_cast<double>(percent) / 100),
                             what) == rank);
}

/// P(Binomial(n, 1 - a/10) < r) times 10^n.
Wide scaled_probability(std::size_t n, std::size_t rank, std::size_t tenths) {
  Wide sum = 0;
  for (std::size_t j = 0; j < rank; ++j) {
    Wide term = choose(n, j);
    for (std::size_t i = 0; i < n; ++i) term *= i < j ? 10 - tenths : tenths;
    sum += term;
  }
  return sum;
}

RC_GTEST_PROP(ConditionalRank, OfIndependentDrawsIsTheDefinition, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 33);
  const auto tenths = *rc::gen::inRange<std::size_t>(1, 10);
  const auto confidence = *rc::gen::inRange<std::size_t>(1, 100);
  Wide one = 1;
  for (std::size_t i = 0; i < n; ++i) one *= 10;
  std::size_t rank = 1;
  while (rank <= n && scaled_probability(n, rank, tenths) * 100 < one * confidence) ++rank;
  const TrainingConditional what{
      .confidence = Confidence::from_double(static_cast<double>(confidence) / 100)};
  RC_ASSERT(conditional_rank(n, Miscoverage::from_double(static_cast<double>(tenths) / 10), what) ==
            rank);
}

TEST(ConditionalRank, DecidesATieExactly) {
  // One example: P(Binomial(1, 1 - alpha) < 1) = alpha.
  const auto rank = [](const char* confidence) {
    return conditional_rank(1, Miscoverage::parse("0.3"), {Confidence::parse(confidence)});
  };
  EXPECT_EQ(rank("0.3"), 1U);
  EXPECT_EQ(rank("0.300000000001"), 2U);
}

TEST(ConditionalRank, OfALargePoolIsThatOfIndependentDraws) {
  for (const std::size_t n : {10U, 29U, 60U, 200U}) {
    EXPECT_EQ(conditional_rank(n, tenth, {.remaining = 100'000'000}),
              conditional_rank(n, tenth, {}))
        << n;
  }
}

TEST(ConditionalRank, NeedsTwentyNineExamplesForATenth) {
  EXPECT_EQ(caos::examples_needed(tenth, {}), 29U);  // 0.9^29 = 0.047
  EXPECT_EQ(conditional_rank(28, tenth, {}), 29U);
  EXPECT_EQ(conditional_rank(29, tenth, {}), 29U);
  EXPECT_EQ(caos::examples_needed(Miscoverage::parse("0.05"), {}), 59U);
}

TEST(ConditionalRank, GivesUpOnAnAlphaBeyondAllDigits) {
  EXPECT_EQ(conditional_rank(50, Miscoverage::parse("1e-30"), {}), 51U);
  EXPECT_THROW(static_cast<void>(conditional_rank(2, tenth, {.remaining = 1'000'000'000})),
               caos::Error);
}

TEST(ConditionalGuarantee, NamesConfidenceAndDraw) {
  EXPECT_EQ(caos::conditional_guarantee({}).text(),
            "PAC (95 % confidence over independent draws of the labeled examples)");
  EXPECT_EQ(caos::conditional_guarantee({.remaining = 70}).text(),
            "PAC (95 % confidence over a random draw of the labeled examples from a pool, for the "
            "70 that remain)");
}

TEST(ConditionalGuarantee, RestsOnItsOwnDraws) {
  const std::string fixed = ", and the scorer was fixed before the data were seen";
  EXPECT_EQ(caos::assumption_of(caos::conditional_guarantee({})),
            "labeled and new examples are independent draws from one distribution" + fixed);
  EXPECT_EQ(caos::assumption_of(caos::conditional_guarantee({.remaining = 70})),
            "labeled examples were drawn at random from the pool" + fixed);
  EXPECT_EQ(caos::conditional_assumption({}, "subjects"),
            "labeled and new subjects are independent draws from one distribution" + fixed);
  EXPECT_EQ(caos::assumption_of(caos::Guarantee{}), caos::assumption);
}

TEST(ScoreAtRank, IsInfiniteBeyondTheLast) {
  const SortedScores scores({3, 1, 2});
  EXPECT_EQ(caos::score_at_rank(scores, 3), 3);
  EXPECT_EQ(caos::score_at_rank(scores, 4), std::numeric_limits<Score>::infinity());
}

// Uniform scores: a threshold covers exactly as often as it is large. The plain rank falls short of
// 1 - alpha in about half of all calibrations, the confident one in at most 5 %.
TEST(ConditionalCoverage, ReachesItsLevelInNearlyAllCalibrations) {
  constexpr std::size_t n = 60;
  constexpr std::size_t repeats = 4000;
  const std::size_t plain = caos::conformal_rank(n, tenth);
  const std::size_t confident = conditional_rank(n, tenth, {});
  std::size_t plain_reaches = 0;
  std::size_t confident_reaches = 0;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    caos::Rng rng = caos::Rng::stream(19, repeat);
    std::vector<Score> scores(n);
    for (Score& score : scores) score = rng.uniform();
    const SortedScores sorted(scores);
    plain_reaches += caos::score_at_rank(sorted, plain) >= 0.9 ? 1U : 0U;
    confident_reaches += caos::score_at_rank(sorted, confident) >= 0.9 ? 1U : 0U;
  }
  EXPECT_NEAR(static_cast<double>(plain_reaches) / repeats, 0.55, 0.1);
  EXPECT_GE(static_cast<double>(confident_reaches) / repeats, 0.95 - 3 * 0.0035);
}

// A pool with tied scores: the share of the remaining that is covered.
TEST(ConditionalCoverage, ReachesItsLevelInAPoolWithTies) {
  constexpr std::size_t n = 40;
  constexpr std::size_t remaining = 60;
  constexpr std::size_t repeats = 4000;
  const std::size_t rank = conditional_rank(n, tenth, {.remaining = remaining});
  const std::size_t plain = caos::conformal_rank(n, tenth);
  ASSERT_LE(rank, n);
  std::size_t reaches = 0;
  std::size_t plain_reaches = 0;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    caos::Rng rng = caos::Rng::stream(20, repeat);
    std::vector<Score> pool(n + remaining);
    for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = static_cast<Score>(i / 2);
    rng.shuffle(std::span(pool));
    const SortedScores drawn(std::vector<Score>(pool.begin(), pool.begin() + n));
    const auto covers = [&](std::size_t at) {
      const Score limit = caos::score_at_rank(drawn, at);
      const auto covered =
          std::count_if(pool.begin() + n, pool.end(), [&](Score score) { return score <= limit; });
      return covered * 10 >= static_cast<std::ptrdiff_t>(remaining * 9) ? 1U : 0U;
    };
    reaches += covers(rank);
    plain_reaches += covers(plain);
  }
  EXPECT_GE(static_cast<double>(reaches) / repeats, 0.95 - 3 * 0.0035);
  EXPECT_LE(static_cast<double>(plain_reaches) / repeats, 0.8);
}

}  // namespace
