#include "caos/conformal/clustered_evaluation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "caos/error.hpp"
#include "caos/rng.hpp"

namespace {

using caos::ClusterShare;
using caos::Evaluation;
using caos::Outcome;

std::vector<Outcome> arbitrary_outcomes(std::size_t count) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    outcomes.push_back(
        Outcome::of_set(*rc::gen::arbitrary<bool>(), *rc::gen::inRange<std::size_t>(0, 5)));
  }
  return outcomes;
}

RC_GTEST_PROP(SummarizeClusters, OfSingleExamplesIsThePlainSummary, ()) {
  const auto outcomes = arbitrary_outcomes(*rc::gen::inRange<std::size_t>(1, 12));
  std::vector<ClusterShare> shares;
  for (std::size_t i = 0; i < outcomes.size(); ++i) shares.push_back({.weight = 1, .cluster = i});
  const Evaluation plain = summarize(outcomes, caos::IntervalKind::standard_error);
  const Evaluation found = summarize_clusters(outcomes, shares);
  RC_ASSERT(std::abs(found.coverage - plain.coverage) < 1e-12);
  RC_ASSERT(std::abs(found.mean_set_size - plain.mean_set_size) < 1e-12);
  RC_ASSERT(found.median_set_size == plain.median_set_size);
  RC_ASSERT(found.coverage_standard_error.has_value() == plain.coverage_standard_error.has_value());
  RC_ASSERT(std::abs(found.coverage_standard_error.value_or(0) -
                     plain.coverage_standard_error.value_or(0)) < 1e-12);
}

TEST(SummarizeClusters, AveragesOverSubjectsOrOverImages) {
  // Subject 0 has one image, which is covered; subject 1 has three, of which one is.
  const std::vector<Outcome> outcomes = {Outcome::of_set(true, 1), Outcome::of_set(false, 5),
                                         Outcome::of_set(true, 5), Outcome::of_set(false, 5)};
  const std::vector<std::size_t> subjects = {0, 1, 1, 1};
  const Evaluation by_subject = summarize_clusters(outcomes, caos::shares_of(subjects, false));
  EXPECT_DOUBLE_EQ(by_subject.coverage, (1 + 1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(by_subject.mean_set_size, 3);
  const Evaluation by_image = summarize_clusters(outcomes, caos::shares_of(subjects, true));
  EXPECT_DOUBLE_EQ(by_image.coverage, 0.5);
  EXPECT_DOUBLE_EQ(by_image.mean_set_size, 4);
  EXPECT_EQ(by_image.interval_kind, caos::IntervalKind::standard_error);
}

// Images of a subject agree: an error over images would be too small by far.
TEST(SummarizeClusters, HasAnErrorOverSubjects) {
  constexpr std::size_t subjects = 50;
  constexpr std::size_t images = 8;
  std::vector<double> coverages;
  double claimed = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    caos::Rng rng = caos::Rng::stream(7, trial);
    std::vector<Outcome> outcomes;
    std::vector<std::size_t> of;
    for (std::size_t s = 0; s < subjects; ++s) {
      const bool covered = rng.below(2) == 0;
      for (std::size_t i = 0; i < images; ++i) {
        outcomes.push_back(Outcome::of_set(covered, 1));
        of.push_back(s);
      }
    }
    const Evaluation found = summarize_clusters(outcomes, caos::shares_of(of, true));
    coverages.push_back(found.coverage);
    claimed += found.coverage_standard_error.value() / 400;
  }
  const double spread = *caos::mean_with_error(coverages).standard_error * std::sqrt(400.0);
  EXPECT_NEAR(claimed, spread, 0.1 * spread);
}

TEST(SummarizeClusters, HasNoErrorForOneCluster) {
  const std::vector<Outcome> outcomes = {Outcome::of_set(true, 1), Outcome::of_set(false, 2)};
  const std::vector<std::size_t> subjects = {3, 3};
  const Evaluation found = summarize_clusters(outcomes, caos::shares_of(subjects, false));
  EXPECT_FALSE(found.coverage_standard_error.has_value());
  EXPECT_FALSE(found.coverage_interval.has_value());
  EXPECT_THROW((void)caos::summarize_clusters({}, {}), caos::Error);
}

}  // namespace
