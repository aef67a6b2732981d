#include "caos/numerics/tails.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace {

__extension__ using Wide = unsigned __int128;

using caos::Binomial;
using caos::compare_upper_tail;
using caos::Hypergeometric;
using caos::Ratio;

Wide choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  Wide result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// sum over j >= least of C(K, j) C(N - K, m - j), against level C(N, m).
std::partial_ordering slow_compare(const Hypergeometric& law, std::uint64_t least,
                                   const Ratio& level) {
  Wide tail = 0;
  for (std::uint64_t j = least; j <= law.drawn; ++j) {
    tail += choose(law.marked, j) * choose(law.population - law.marked, law.drawn - j);
  }
  return tail * level.denominator <=> choose(law.population, law.drawn) * level.numerator;
}

Wide power(std::uint64_t base, std::uint64_t exponent) {
  Wide result = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

std::partial_ordering slow_compare(const Binomial& law, std::uint64_t least, const Ratio& level) {
  const auto [up, down] = law.success;
  Wide tail = 0;
  for (std::uint64_t j = least; j <= law.trials; ++j) {
    tail += choose(law.trials, j) * power(up, j) * power(down - up, law.trials - j);
  }
  return tail * level.denominator <=> power(down, law.trials) * level.numerator;
}

Ratio some_level() {
  const std::uint64_t denominator = *rc::gen::element<std::uint64_t>(2, 3, 10, 20, 100, 1000);
  return {*rc::gen::inRange<std::uint64_t>(1, denominator), denominator};
}

RC_GTEST_PROP(HypergeometricTail, IsTheSumOfItsTerms, ()) {
  const auto population = *rc::gen::inRange<std::uint64_t>(0, 61);
  const Hypergeometric law{population, *rc::gen::inRange<std::uint64_t>(0, population + 1),
                           *rc::gen::inRange<std::uint64_t>(0, population + 1)};
  const auto least = *rc::gen::inRange<std::uint64_t>(0, population + 2);
  const Ratio level = some_level();
  RC_ASSERT(compare_upper_tail(law, least, level) == slow_compare(law, least, level));
}

RC_GTEST_PROP(BinomialTail, IsTheSumOfItsTerms, ()) {
  const auto trials = *rc::gen::inRange<std::uint64_t>(0, 9);
  const std::uint64_t denominator = *rc::gen::element<std::uint64_t>(2, 10, 20, 1000);
  const Binomial law{trials, {*rc::gen::inRange<std::uint64_t>(1, denominator), denominator}};
  const auto least = *rc::gen::inRange<std::uint64_t>(0, trials + 2);
  const Ratio level = some_level();
  RC_ASSERT(compare_upper_tail(law, least, level) == slow_compare(law, least, level));
}

// A draw of one: P(X >= 1) is the share of marked units, which may equal the level.
TEST(HypergeometricTail, DecidesATieExactly) {
  const Ratio level{1, 20};
  EXPECT_EQ(compare_upper_tail(Hypergeometric{100, 4, 1}, 1, level), std::partial_ordering::less);
  EXPECT_EQ(compare_upper_tail(Hypergeometric{100, 5, 1}, 1, level),
            std::partial_ordering::equivalent);
  EXPECT_EQ(compare_upper_tail(Hypergeometric{100, 6, 1}, 1, level),
            std::partial_ordering::greater);
}

// By symmetry P(X >= 2501) = 1/2 for 5001 fair trials, a sum of 2501 terms of 1500 digits.
TEST(BinomialTail, DecidesATieOfManyTermsExactly) {
  const Binomial fair{5001, {1, 2}};
  EXPECT_EQ(compare_upper_tail(fair, 2501, {1, 2}), std::partial_ordering::equivalent);
  EXPECT_EQ(compare_upper_tail(fair, 2501, {499'999'999'999'999'999, 1'000'000'000'000'000'000}),
            std::partial_ordering::greater);
  EXPECT_EQ(compare_upper_tail(fair, 2501, {500'000'000'000'000'001, 1'000'000'000'000'000'000}),
            std::partial_ordering::less);
}

TEST(BinomialTail, SaysWhenItCannotTell) {
  EXPECT_EQ(compare_upper_tail(Binomial{1'000'001, {1, 2}}, 500'001, {1, 2}),
            std::partial_ordering::unordered);
}

TEST(HypergeometricTail, IsQuickForTheLargestPopulations) {
  const Hypergeometric law{caos::most_units, caos::most_units / 2, caos::most_units / 2};
  EXPECT_EQ(compare_upper_tail(law, caos::most_units / 4 - 100'000, {1, 20}),
            std::partial_ordering::greater);
  EXPECT_EQ(compare_upper_tail(law, caos::most_units / 4 + 100'000, {1, 20}),
            std::partial_ordering::less);
}

}  // namespace
