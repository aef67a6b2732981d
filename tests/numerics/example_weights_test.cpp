#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "caos/error.hpp"
#include "caos/sorted_scores.hpp"
#include "tests/support/problem.hpp"
#include "tests/support/rational.hpp"

namespace {

using caos::ExampleWeights;
using caos::Fraction;
using caos::SortedScores;
using caos::whole_weights;
using oracle::Rational;

Fraction arbitrary_fraction(std::size_t most) {
  return {*rc::gen::inRange<std::uint64_t>(1, most + 1),
          *rc::gen::inRange<std::uint64_t>(1, most + 1)};
}

std::vector<Fraction> arbitrary_fractions(std::size_t count, std::size_t most) {
  std::vector<Fraction> fractions;
  for (std::size_t i = 0; i < count; ++i) fractions.push_back(arbitrary_fraction(most));
  return fractions;
}

Rational rational(const Fraction& f) { return {f.numerator, f.denominator}; }

std::uint64_t sum_of(const ExampleWeights& weights) {
  return std::accumulate(weights.examples.begin(), weights.examples.end(), weights.new_example);
}

/// The p-value of a score by the definition.
Rational p_value(const Fraction& new_example, const std::vector<Fraction>& examples,
                 const oracle::Pool& scores, double s) {
  Rational reached = rational(new_example);
  Rational all = reached;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    all = all + rational(examples[i]);
    if (scores[i] >= s) reached = reached + rational(examples[i]);
  }
  return reached / all;
}

RC_GTEST_PROP(WholeWeights, AreInTheRatioOfTheFractions, ()) {
  const auto examples = arbitrary_fractions(*rc::gen::inRange<std::size_t>(1, 8), 12);
  const Fraction new_example = arbitrary_fraction(12);
  const ExampleWeights weights = whole_weights(new_example, examples);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Rational ratio(static_cast<oracle::Whole>(weights.of(i)),
                         static_cast<oracle::Whole>(weights.new_example));
    RC_ASSERT(ratio == rational(examples[i]) / rational(new_example));
  }
}

TEST(WholeWeights, AreTheSmallestAndPlainWhereAllAreEqual) {
  EXPECT_EQ(whole_weights({1, 1}, std::vector<Fraction>{{1, 2}, {1, 3}}),
            (ExampleWeights{.examples = {3, 2}, .new_example = 6}));
  EXPECT_EQ(whole_weights({2, 5}, std::vector<Fraction>{{6, 5}, {4, 5}}),
            (ExampleWeights{.examples = {3, 2}, .new_example = 1}));
  EXPECT_TRUE(whole_weights({3, 7}, std::vector<Fraction>{{3, 7}, {6, 14}}).is_plain());
  EXPECT_TRUE(whole_weights({1, 1}, {}).is_plain());
}

// Rounding may only raise p-values: every score then conforms at least as often.
RC_GTEST_PROP(WholeWeights, ThatAreRoundedNeverLowerAPValue, ()) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 6);
  const auto examples = arbitrary_fractions(count, 40);
  const Fraction new_example = arbitrary_fraction(40);
  const std::uint64_t most = *rc::gen::element<std::uint64_t>(1000, 100'000);
  const ExampleWeights weights = whole_weights(new_example, examples, most);
  RC_ASSERT(sum_of(weights) <= most);
  oracle::Pool scores;
  for (std::size_t i = 0; i < count; ++i) scores.push_back(*problem::score());
  const double s = *problem::score();
  const SortedScores sorted(scores, weights);
  const Rational rounded(static_cast<oracle::Whole>(1 + sorted.exceedances(s).at_least()),
                         static_cast<oracle::Whole>(sorted.units() + 1));
  const Rational exact = p_value(new_example, examples, scores, s);
  RC_ASSERT(!(exact > rounded));
  // And by little: the units are fine.
  RC_ASSERT(!(rounded > exact + Rational(1, 10)) || most == 1000);
}

TEST(WholeWeights, RoundWhereTheCommonMultipleIsTooLarge) {
  std::vector<Fraction> primes;
  for (const std::uint64_t p : {53U, 59U, 61U, 67U, 71U, 73U, 79U, 83U, 89U, 97U, 101U, 103U}) {
    primes.push_back({1, p});
  }
  const ExampleWeights weights = whole_weights({1, 1}, primes);
  EXPECT_LE(sum_of(weights), caos::most_weight);
  EXPECT_GT(sum_of(weights), caos::most_weight / 4);
  for (std::size_t i = 0; i < primes.size(); ++i) {
    const double share =
        static_cast<double>(weights.examples[i]) / static_cast<double>(weights.new_example);
    EXPECT_NEAR(share * static_cast<double>(primes[i].denominator), 1, 1e-12);
  }
}

TEST(WholeWeights, RefuseZeroAndWhatIsTooLarge) {
  EXPECT_THROW((void)whole_weights({0, 1}, {}), caos::Error);
  EXPECT_THROW((void)whole_weights({1, 0}, {}), caos::Error);
  EXPECT_THROW((void)whole_weights({std::uint64_t{1} << 60U, 1}, std::vector<Fraction>{{1, 7}}),
               caos::Error);
}

// Thresholds, counts and p-values of weighted scores, against fractions.
RC_GTEST_PROP(WeightedScores, DecideAsTheFractionsDo, ()) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, 9);
  const auto examples = arbitrary_fractions(count, 6);
  const Fraction new_example = arbitrary_fraction(6);
  oracle::Pool scores;
  for (std::size_t i = 0; i < count; ++i) scores.push_back(*problem::score());
  const double s = *problem::score();
  const std::size_t percent = problem::percent();
  const auto alpha = problem::alpha(percent);

  const SortedScores sorted(scores, whole_weights(new_example, examples));
  const Rational p = p_value(new_example, examples, scores, s);
  const bool conforms = p * Rational(100) > Rational(percent);
  RC_ASSERT((s <= sorted.threshold(alpha)) == conforms);
  const caos::Exceedances e = sorted.exceedances(s);
  RC_ASSERT(caos::conforms(e, sorted.units(), sorted.rank(alpha)) == conforms);
  RC_ASSERT(caos::p_value(e, sorted.units()) ==
            static_cast<double>(p.top) / static_cast<double>(p.bottom));

  const Rational least = p_value(new_example, examples, oracle::Pool(count, 0.0), 1.0);
  RC_ASSERT(sorted.is_feasible(alpha) == !(least * Rational(100) > Rational(percent)));
  RC_ASSERT(sorted.smallest_feasible_alpha() ==
            static_cast<double>(least.top) / static_cast<double>(least.bottom));
}

RC_GTEST_PROP(WeightedScores, ClippedGiveTheLargestScore, ()) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 6);
  oracle::Pool scores;
  for (std::size_t i = 0; i < count; ++i) scores.push_back(*problem::score());
  const SortedScores sorted(scores, whole_weights({5, 1}, arbitrary_fractions(count, 3)));
  const auto alpha = caos::Miscoverage::parse("0.001");
  RC_ASSERT(!sorted.is_feasible(alpha));
  RC_ASSERT(sorted.threshold(alpha) == INFINITY);
  RC_ASSERT(sorted.threshold(alpha, caos::RankRule::clip) ==
            *std::max_element(scores.begin(), scores.end()));
}

RC_GTEST_PROP(WeightedScores, OfEqualWeightsAreThoseWithout, ()) {
  const auto scores = *rc::gen::container<oracle::Pool>(problem::score());
  const SortedScores plain(scores);
  const std::vector<Fraction> equal(scores.size(), Fraction{2, 3});
  const SortedScores weighted(scores, whole_weights({2, 3}, equal));
  const double s = *problem::score();
  const auto alpha = problem::alpha(problem::percent());
  RC_ASSERT(weighted.exceedances(s) == plain.exceedances(s));
  RC_ASSERT(weighted.threshold(alpha) == plain.threshold(alpha));
  RC_ASSERT(weighted.units() == plain.units());
}

}  // namespace
