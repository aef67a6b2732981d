#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caos/miscoverage.hpp"
#include "tests/support/oracle.hpp"

namespace {

using caos::Miscoverage;

TEST(ConformalRank, IsNinetyForNinetyNineExamplesAndOneTenth) {
  EXPECT_EQ(caos::conformal_rank(99, Miscoverage::parse("0.1")), 90U);
}

/// ceil(p / q) as the smallest whole number that reaches p / q.
std::size_t ceiling(std::size_t p, std::size_t q) {
  std::size_t c = p / q;
  while (c * q < p) ++c;
  return c;
}

TEST(ConformalRank, IsExactForEveryThousandthAndUpToTwoThousandExamples) {
  for (std::size_t thousandths = 1; thousandths < 1000; ++thousandths) {
    const Miscoverage alpha = Miscoverage::parse(fmt::format("0.{:03}", thousandths));
    for (std::size_t n = 0; n <= 2000; ++n) {
      // (1 - alpha)(n + 1) = (1000 - thousandths)(n + 1) / 1000
      const std::size_t expected = ceiling((1000 - thousandths) * (n + 1), 1000);
      ASSERT_EQ(caos::conformal_rank(n, alpha), expected)
          << n << " examples, alpha " << alpha.text();
      ASSERT_EQ(caos::is_feasible(n, alpha), expected <= n);
    }
  }
}

TEST(ConformalRank, AgreesWithCountingUpwards) {
  for (const std::size_t percent : {1U, 5U, 33U, 50U, 99U}) {
    const Miscoverage alpha = Miscoverage::parse(fmt::format("0.{:02}", percent));
    for (std::size_t n = 0; n < 250; ++n) {
      EXPECT_EQ(caos::conformal_rank(n, alpha), oracle::rank(n, percent, 100));
    }
  }
}

TEST(ConformalRank, DoesNotOverflow) {
  const auto nearly_one = Miscoverage::parse("0.999999999999999999");
  const auto nearly_zero = Miscoverage::parse("0.000000000000000001");
  const std::size_t many = 1'000'000'000'000'000'000;
  EXPECT_EQ(caos::conformal_rank(many - 1, nearly_one), 1U);
  EXPECT_EQ(caos::conformal_rank(many - 1, nearly_zero), many - 1);
  EXPECT_EQ(caos::conformal_rank(many - 2, nearly_zero), many - 1);
}

TEST(DecidingRank, ClipsOnlyWhenToldAndOnlyBeyondN) {
  const auto alpha = Miscoverage::parse("0.1");
  EXPECT_EQ(caos::deciding_rank(8, alpha, caos::RankRule::every_label), 9U);
  EXPECT_EQ(caos::deciding_rank(8, alpha, caos::RankRule::clip), 8U);
  EXPECT_EQ(caos::deciding_rank(9, alpha, caos::RankRule::clip), 9U);
  EXPECT_EQ(caos::deciding_rank(0, alpha, caos::RankRule::clip), 1U);
}

TEST(ExamplesNeeded, IsTheFewestThatMakeAlphaFeasible) {
  for (std::size_t thousandths = 1; thousandths < 1000; ++thousandths) {
    const Miscoverage alpha = Miscoverage::parse(fmt::format("0.{:03}", thousandths));
    const std::size_t needed = caos::examples_needed(alpha);
    EXPECT_TRUE(caos::is_feasible(needed, alpha)) << alpha.text();
    ASSERT_GT(needed, 0U);
    EXPECT_FALSE(caos::is_feasible(needed - 1, alpha)) << alpha.text();
  }
}

}  // namespace
