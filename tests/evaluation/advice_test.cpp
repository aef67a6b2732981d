#include "caos/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/evaluation/toy.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::Advice;
using caos::ErrorKind;
using caos::Miscoverage;
using caos::test::expect_error;
using testing::HasSubstr;
using testing::Not;

TEST(Advice, KnowsTheLawsOfAllExamplesAndOfTheLargerHalf) {
  const Advice advice = caos::advise(41, Miscoverage::parse("0.1"));
  EXPECT_EQ(advice.caos.n, 41U);
  EXPECT_EQ(advice.caos.rank, 38U);
  EXPECT_EQ(advice.split.n, 21U);
  EXPECT_EQ(advice.split.rank, 20U);
  EXPECT_EQ(advice.num_test, caos::AdviceOptions{}.num_test);
  EXPECT_FALSE(advice.from_scores);
}

TEST(Advice, TellsWhatOneCalibrationWithAConfidenceTakes) {
  const Advice enough = caos::advise(100, Miscoverage::parse("0.1"));
  EXPECT_EQ(enough.conditional_rank, 49U);  // of 50: P(Binomial(50, 0.9) < 49) = 0.966
  EXPECT_THAT(caos::text_of(enough),
              HasSubstr("use split-caos with --confidence 0.95: rank 49 of 50"));
  const Advice few = caos::advise(40, Miscoverage::parse("0.1"));
  EXPECT_THAT(caos::text_of(few), HasSubstr("it needs 29 calibration examples and has 20."));
  const Advice unsure =
      caos::advise(40, Miscoverage::parse("0.1"), {.confidence = caos::Confidence::parse("0.8")});
  EXPECT_EQ(unsure.conditional_rank, 20U);  // 1 - 0.9^20 = 0.878
}

TEST(Advice, CountsTheExamplesThatASplitNeeds) {
  for (const char* text : {"0.1", "0.05", "0.3", "0.5", "0.9"}) {
    const Miscoverage alpha = Miscoverage::parse(text);
    const std::size_t needed = caos::examples_needed_split(alpha);
    EXPECT_TRUE(caos::is_feasible(needed - needed / 2, alpha)) << text;
    EXPECT_FALSE(caos::is_feasible(needed - 1 - (needed - 1) / 2, alpha)) << text;
  }
  EXPECT_EQ(caos::examples_needed_split(Miscoverage::parse("1e-30")), SIZE_MAX);
}

TEST(Advice, ShowsTheCurveOfTheScoresThatItWasGiven) {
  const toy::Toy task = toy::make(3, 24);
  const Miscoverage alpha = Miscoverage::parse("0.2");
  const Advice advice = caos::advise(task.labeled(), task.labels, alpha, {.repeats = 4, .seed = 9});
  caos::LearningCurveOptions options{.alpha = alpha};
  options.repeats = 4;
  options.seed = 9;
  const auto curve = caos::learning_curve(task.labeled(), task.labels, options);
  ASSERT_EQ(advice.curve.size(), curve.size());
  for (std::size_t p = 0; p < curve.size(); ++p) {
    EXPECT_EQ(advice.curve[p].n, curve[p].n);
    EXPECT_EQ(advice.curve[p].mean_set_size, curve[p].mean_set_size);
  }
  EXPECT_EQ(advice.n, 24U);
  EXPECT_TRUE(advice.from_scores);
  EXPECT_THAT(caos::text_of(advice), HasSubstr("labeled examples  mean set size  spread"));
}

TEST(Advice, SaysWhatIsMissingWhereAlphaIsInfeasible) {
  const std::string text = caos::text_of(caos::advise(5, Miscoverage::parse("0.1")));
  EXPECT_THAT(text, HasSubstr("alpha 0.1 is infeasible with 5 examples"));
  EXPECT_THAT(text, HasSubstr("every set is every label"));
  EXPECT_THAT(text, HasSubstr("Label 4 more, or accept an alpha of at least 1/6 (0.1667)."));
  EXPECT_THAT(text, HasSubstr("examples needed for this alpha  9 (split methods: 17)"));
  EXPECT_THAT(caos::text_of(caos::advise(40, Miscoverage::parse("0.1"))),
              Not(HasSubstr("infeasible")));
}

// A rank of 6 of 5, or a probability of at least 1, would be read as a strong guarantee.
TEST(Advice, SaysFirstThatAlphaIsInfeasibleAndClaimsNothingElse) {
  for (const std::size_t n : {2U, 5U, 8U}) {
    const std::string text = caos::text_of(caos::advise(n, Miscoverage::parse("0.1")));
    EXPECT_LT(text.find("is infeasible"), text.find("examples needed"));
    EXPECT_THAT(text, Not(HasSubstr("rank")));
    EXPECT_THAT(text, Not(HasSubstr("probability")));
    EXPECT_THAT(text, Not(HasSubstr("Beta")));
  }
}

TEST(Advice, CountsTheExamplesThatAreMissing) {
  const Miscoverage alpha = Miscoverage::parse("0.1");
  EXPECT_EQ(caos::examples_missing(caos::advise(5, alpha)), 4U);
  EXPECT_EQ(caos::examples_missing(caos::advise(8, alpha)), 1U);
  EXPECT_EQ(caos::examples_missing(caos::advise(9, alpha)), 0U);
  EXPECT_EQ(caos::examples_missing(caos::advise(40, alpha)), 0U);
}

TEST(Advice, RefusesInvalidCounts) {
  const Miscoverage alpha = Miscoverage::parse("0.1");
  const toy::Toy task = toy::make(4);
  expect_error([&] { static_cast<void>(caos::advise(1, alpha)); }, ErrorKind::invalid_input,
               {"n: is 1; expected 2 to 1000000"});
  expect_error([&] { static_cast<void>(caos::advise(9, alpha, {.num_test = 0})); },
               ErrorKind::invalid_input, {"num_test: is 0; expected 1 to 1000000"});
  expect_error(
      [&] { static_cast<void>(caos::advise(task.labeled(), task.labels, alpha, {.repeats = 0})); },
      ErrorKind::invalid_input, {"repeats: is 0"});
}

}  // namespace
