#include "caos/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "caos/error.hpp"

namespace {

using caos::Evaluation;
using caos::IntervalKind;
using caos::Outcome;

TEST(Outcome, HoldsLabelsWhoseScoresEqualTheThreshold) {
  const std::vector<double> scores = {1, 2, 3, 2};
  const std::vector<double> limits(4, 2.0);
  const Outcome tied = caos::outcome_of(scores, limits, 1);
  EXPECT_EQ(tied.covered, 1);
  EXPECT_EQ(tied.size, 3);
  EXPECT_EQ(caos::outcome_of(scores, limits, 2).covered, 0);
}

TEST(Outcome, ComparesEachLabelWithItsOwnThreshold) {
  const std::vector<double> scores = {1, 2, 3};
  const std::vector<double> limits = {0.5, INFINITY, 3};
  EXPECT_EQ(caos::outcome_of(scores, limits, 0).covered, 0);
  EXPECT_EQ(caos::outcome_of(scores, limits, 1).covered, 1);
  EXPECT_EQ(caos::outcome_of(scores, limits, 2).covered, 1);
  EXPECT_EQ(caos::outcome_of(scores, limits, 2).size, 2);
}

TEST(Outcome, IsThatOfTheSet) {
  const Outcome outcome = caos::outcome_of(caos::PredictionSet{4}, 4);
  EXPECT_EQ(outcome.covered, 1);
  EXPECT_EQ(outcome.singleton, 1);
  EXPECT_EQ(caos::outcome_of(caos::PredictionSet{4}, 3).covered, 0);
  EXPECT_EQ(caos::outcome_of(caos::PredictionSet{}, 0).empty, 1);
}

TEST(Evaluation, SummarizesSetsOfOneMethod) {
  const std::vector<Outcome> outcomes = {Outcome::of_set(true, 1), Outcome::of_set(true, 4),
                                         Outcome::of_set(false, 0), Outcome::of_set(true, 2)};
  const Evaluation e = caos::summarize(outcomes);
  EXPECT_DOUBLE_EQ(e.coverage, 0.75);
  EXPECT_DOUBLE_EQ(e.mean_set_size, 1.75);
  EXPECT_DOUBLE_EQ(e.median_set_size, 1.5);
  EXPECT_DOUBLE_EQ(e.singleton_rate, 0.25);
  EXPECT_DOUBLE_EQ(e.empty_rate, 0.25);
  EXPECT_EQ(e.interval_kind, IntervalKind::clopper_pearson);
  // 3 of 4: the textbook interval.
  EXPECT_NEAR(e.coverage_interval->low, 0.1941, 5e-5);
  EXPECT_NEAR(e.coverage_interval->high, 0.9937, 5e-5);
}

TEST(Evaluation, GivesAveragesAStandardErrorInsteadOfAnExactInterval) {
  const std::vector<Outcome> outcomes = {{.covered = 0.5, .size = 2}, {.covered = 1.0, .size = 3}};
  const Evaluation e = caos::summarize(outcomes, IntervalKind::standard_error);
  EXPECT_EQ(e.interval_kind, IntervalKind::standard_error);
  EXPECT_DOUBLE_EQ(*e.coverage_standard_error, 0.25);
  EXPECT_DOUBLE_EQ(e.coverage_interval->low, 0.75 - 1.959963984540054 * 0.25);
  EXPECT_DOUBLE_EQ(e.coverage_interval->high, 1.0);
}

TEST(Evaluation, HasNoIntervalForAnAverageOverOneExample) {
  const std::vector<Outcome> outcomes = {{.covered = 0.5, .size = 2}};
  const Evaluation e = caos::summarize(outcomes, IntervalKind::standard_error);
  EXPECT_FALSE(e.coverage_interval.has_value());
  EXPECT_EQ(e.interval_kind, IntervalKind::none);
}

TEST(Evaluation, HasNoIntervalForAveragesThatDoNotVary) {
  const std::vector<Outcome> outcomes(5, Outcome{.covered = 1.0, .size = 2});
  EXPECT_FALSE(
      caos::summarize(outcomes, IntervalKind::standard_error).coverage_interval.has_value());
}

TEST(TaskTable, HasARowPerTaskAndTheMeanOfEachFigure) {
  const std::vector<Outcome> small = {Outcome::of_set(true, 1), Outcome::of_set(true, 1)};
  const std::vector<Outcome> large = {Outcome::of_set(true, 5), Outcome::of_set(false, 0)};
  const caos::TaskTable table({"nose", "chin"}, {caos::summarize(small), caos::summarize(large)},
                              {caos::Guarantee::Kind::marginal, {}});
  EXPECT_EQ(table.names[1], "chin");
  EXPECT_DOUBLE_EQ(table.tasks[1].coverage, 0.5);
  EXPECT_DOUBLE_EQ(table.summary.coverage.mean, 0.75);
  EXPECT_DOUBLE_EQ(*table.summary.coverage.standard_error, 0.25);
  EXPECT_DOUBLE_EQ(table.summary.median_set_size.mean, 1.75);
  EXPECT_DOUBLE_EQ(table.summary.singleton_rate.mean, 0.5);
  EXPECT_DOUBLE_EQ(table.summary.empty_rate.mean, 0.25);
  EXPECT_EQ(table.guarantee.text(), "marginal");
  EXPECT_THROW(caos::TaskTable({"nose"}, {}, {}), caos::Error);
}

TEST(TaskSummary, IsTheMeanAndItsStandardErrorOverTasks) {
  std::vector<Evaluation> tasks(3);
  for (std::size_t i = 0; i < 3; ++i) {
    tasks[i].coverage = 0.9;
    tasks[i].mean_set_size = static_cast<double>(i + 1);
  }
  const caos::TaskSummary summary = caos::summarize_tasks(tasks);
  EXPECT_DOUBLE_EQ(summary.coverage.mean, 0.9);
  EXPECT_DOUBLE_EQ(summary.mean_set_size.mean, 2);
  EXPECT_DOUBLE_EQ(*summary.mean_set_size.standard_error, 1 / std::sqrt(3.0));
}

}  // namespace
