#include "caos/verify/verification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/miscoverage.hpp"
#include "caos/numerics/beta.hpp"
#include "caos/rng.hpp"

namespace {

using caos::CoverageVerdict;
using caos::Miscoverage;
using caos::Trial;

const Miscoverage tenth = Miscoverage::parse("0.1");
const caos::Guarantee marginal{};

/// Split conformal sets on uniform scores: n that calibrate, then some that are tested.
Trial draw_trial(caos::Rng& rng, std::size_t n, std::size_t tested, std::size_t rank_lost = 0) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) scores.push_back(rng.uniform());
  std::ranges::sort(scores);
  const std::size_t rank = caos::conformal_rank(n, tenth);
  const double threshold = scores[rank - 1 - rank_lost];
  Trial trial{.tasks = {{.n = n, .rank = rank, .tested = tested}}};
  for (std::size_t t = 0; t < tested; ++t) {
    trial.coverage += (rng.uniform() <= threshold ? 1.0 : 0.0) / static_cast<double>(tested);
  }
  return trial;
}

std::vector<Trial> draw_trials(std::uint64_t seed, std::size_t splits, std::size_t n,
                               std::size_t tested, std::size_t rank_lost = 0) {
  caos::Rng rng(seed);
  std::vector<Trial> trials;
  for (std::size_t s = 0; s < splits; ++s) trials.push_back(draw_trial(rng, n, tested, rank_lost));
  return trials;
}

std::vector<Trial> same_trials(std::size_t splits, double coverage, caos::TrialLaw law) {
  return std::vector<Trial>(splits, Trial{.coverage = coverage, .tasks = {law}});
}

TEST(CheckCoverage, AgreesWithSplitsThatFollowTheLaw) {
  std::size_t contradictions = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    for (const std::size_t tested : {1U, 5U, 20U}) {
      const auto check = caos::check_coverage("scos", tenth, marginal,
                                              draw_trials(seed, 2 + seed % 40, 29, tested));
      contradictions += check.verdict == CoverageVerdict::contradicts ? 1 : 0;
    }
  }
  EXPECT_EQ(contradictions, 0U);
}

TEST(CheckCoverage, ContradictsARankThatIsTooSmall) {
  const auto one_lost =
      caos::check_coverage("scos", tenth, marginal, draw_trials(1, 400, 19, 20, 1));
  EXPECT_EQ(one_lost.verdict, CoverageVerdict::contradicts);
  EXPECT_NEAR(one_lost.coverage, 17.0 / 20, 0.02);
  EXPECT_NEAR(one_lost.expected, 18.0 / 20, 1e-12);
}

TEST(CheckCoverage, SplitsThatHappenToBeEqualAreNotWithoutError) {
  // Two single tests that both miss have no standard error, and happen once in a hundred times.
  const caos::TrialLaw one_test{.n = 9, .rank = 9, .tested = 1};
  const auto few = caos::check_coverage("caos", tenth, marginal, same_trials(2, 0, one_test));
  EXPECT_EQ(few.standard_error, 0);
  EXPECT_EQ(few.verdict, CoverageVerdict::agrees);
  const auto many = caos::check_coverage("caos", tenth, marginal, same_trials(20, 0, one_test));
  EXPECT_EQ(many.verdict, CoverageVerdict::contradicts);
}

TEST(CheckCoverage, FourStandardErrorsDecideWhereManySplitsTellThem) {
  // As of many landmarks: their mean varies far less than the coverage of one would.
  const auto of_landmarks = [](std::size_t splits) {
    auto trials = same_trials(splits, 0, {.n = 45, .rank = 42, .tested = 15});
    for (std::size_t s = 0; s < splits; ++s) trials[s].coverage = s % 2 == 0 ? 0.86 : 0.88;
    return caos::check_coverage("caos", tenth, marginal, trials);
  };
  EXPECT_GT(of_landmarks(40).chance, 0.001);
  EXPECT_EQ(of_landmarks(40).verdict, CoverageVerdict::contradicts);
  EXPECT_EQ(of_landmarks(29).verdict, CoverageVerdict::agrees);
}

TEST(CheckCoverage, DoesNotJudgeMethodsWithoutAGuaranteeNorOneSplit) {
  const caos::TrialLaw law{.n = 9, .rank = 9, .tested = 10};
  const caos::Guarantee none{.kind = caos::Guarantee::Kind::none, .why_none = "chosen"};
  const auto unguaranteed = caos::check_coverage("best", tenth, none, same_trials(50, 0, law));
  EXPECT_EQ(unguaranteed.verdict, CoverageVerdict::not_judged);
  EXPECT_EQ(unguaranteed.why_not_judged, "chosen");
  const auto alone = caos::check_coverage("caos", tenth, marginal, same_trials(1, 0, law));
  EXPECT_EQ(alone.verdict, CoverageVerdict::not_judged);
  EXPECT_FALSE(alone.standard_error);
}

TEST(ChanceOfSoLittle, IsAtLeastTheExactProbability) {
  // One test per split: the hits of all splits together are binomial.
  const caos::TrialLaw law{.n = 9, .rank = 9, .tested = 1};
  for (std::size_t hits = 0; hits <= 20; ++hits) {
    std::vector<Trial> trials = same_trials(20, 0, law);
    for (std::size_t s = 0; s < hits; ++s) trials[s].coverage = 1;
    double exact = 0;
    for (std::size_t h = 0; h <= hits; ++h) {
      const auto x = static_cast<double>(h);
      exact += std::exp(std::lgamma(21) - std::lgamma(x + 1) - std::lgamma(21 - x)) *
               std::pow(0.9, x) * std::pow(0.1, 20 - x);
    }
    EXPECT_GE(caos::chance_of_so_little(trials), exact * (1 - 1e-9)) << hits;
    EXPECT_LE(caos::chance_of_so_little(trials), std::min(1.0, 12 * exact) + 1e-9) << hits;
  }
}

TEST(ChanceOfSoLittle, IsNothingWhereEveryLabelShouldBeIn) {
  const caos::TrialLaw every_label{.n = 4, .rank = 5, .tested = 10};
  EXPECT_EQ(caos::chance_of_so_little(same_trials(9, 1, every_label)), 1);
  EXPECT_LT(caos::chance_of_so_little(same_trials(9, 0.9, every_label)), 1e-100);
}

TEST(IdentityCheck, IsNeverSaidToHoldWhereNothingWasCompared) {
  caos::IdentityCheck check{"name", "statement"};
  EXPECT_EQ(check.verdict(), caos::IdentityVerdict::not_checked);
  check.expect(true, [] { return "here"; });
  EXPECT_EQ(check.verdict(), caos::IdentityVerdict::holds);
  check.expect(false, [] { return "there"; });
  check.expect(false, [] { return "elsewhere"; });
  EXPECT_EQ(check.verdict(), caos::IdentityVerdict::broken);
  EXPECT_EQ(check.compared, 3U);
  EXPECT_EQ(check.broken, 2U);
  EXPECT_EQ(check.first_broken, "there");
}

TEST(Verification, ContradictsIfOnePartDoes) {
  caos::Verification verification;
  EXPECT_FALSE(verification.contradicts());
  verification.identities.push_back({"name", "statement"});
  EXPECT_FALSE(verification.contradicts());
  verification.identities[0].expect(false, [] { return "here"; });
  EXPECT_TRUE(verification.contradicts());
  verification.identities.clear();
  verification.coverage.push_back({.alpha = tenth, .verdict = CoverageVerdict::contradicts});
  EXPECT_TRUE(verification.contradicts());
}

}  // namespace
