#include "caos/sorted_scores.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/problem.hpp"

namespace {

using caos::SortedScores;

RC_GTEST_PROP(SortedScores, ThresholdIsTheScoreAtTheRank, ()) {
  const auto scores = *rc::gen::container<oracle::Pool>(problem::score());
  const std::size_t percent = problem::percent();
  const double expected = oracle::quantile(scores, oracle::rank(scores.size(), percent, 100));
  RC_ASSERT(SortedScores(scores).threshold(problem::alpha(percent)) == expected);
}

RC_GTEST_PROP(SortedScores, CountsGreaterAndEqualScores, ()) {
  const auto scores = *rc::gen::container<oracle::Pool>(problem::score());
  const double s = *problem::score();
  const auto count = [&](auto compare) {
    return static_cast<std::size_t>(
        std::ranges::count_if(scores, [&](double other) { return compare(other, s); }));
  };
  RC_ASSERT(SortedScores(scores).exceedances(s) ==
            (caos::Exceedances{.greater = count(std::greater()), .equal = count(std::equal_to())}));
}

// p > alpha, the threshold and the count must decide alike, or p-values and sets would disagree.
RC_GTEST_PROP(SortedScores, CountsAndThresholdsDecideAlike, ()) {
  const auto scores = *rc::gen::container<oracle::Pool>(problem::score());
  const double s = *problem::score();
  const std::size_t percent = problem::percent();
  const SortedScores sorted(scores);
  const auto alpha = problem::alpha(percent);
  const std::size_t n = scores.size();
  const caos::Exceedances e = sorted.exceedances(s);
  const bool by_threshold = s <= sorted.threshold(alpha);
  RC_ASSERT(caos::conforms(e, n, caos::conformal_rank(n, alpha)) == by_threshold);
  RC_ASSERT(((1 + e.at_least()) * 100 > percent * (n + 1)) == by_threshold);
}

RC_GTEST_PROP(SortedScores, ReplacingEqualsSortingAgain, ()) {
  auto kept = *rc::gen::container<oracle::Pool>(problem::score());
  const auto removed = *rc::gen::container<oracle::Pool>(problem::score());
  const auto added = *rc::gen::container<oracle::Pool>(problem::score());
  oracle::Pool before = kept;
  before.insert(before.end(), removed.begin(), removed.end());
  SortedScores scores(before);
  scores.replace(removed, added);
  kept.insert(kept.end(), added.begin(), added.end());
  const SortedScores expected(kept);
  RC_ASSERT(std::ranges::equal(scores.values(), expected.values()));
}

TEST(SortedScores, WithoutScoresAdmitEverything) {
  const SortedScores none;
  EXPECT_EQ(none.threshold(caos::Miscoverage::parse("0.99")), INFINITY);
  EXPECT_EQ(none.threshold(caos::Miscoverage::parse("0.99"), caos::RankRule::clip), INFINITY);
}

}  // namespace
