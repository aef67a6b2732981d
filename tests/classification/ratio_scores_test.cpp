#include "caos/classification/ratio_scores.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "tests/classification/vote_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::classification {
namespace {

using vote_problem::Task;

constexpr double infinite = std::numeric_limits<double>::infinity();

CandidateScores scores_of(const Task& task, std::size_t k) {
  const Matrix<double> pairs = vote_problem::matrix(task.pairs, task.n(), task.n());
  const RatioScores scores(pairs.view(), task.labels, task.num_labels, {.k = k});
  return scores.candidates(std::span(task.pairs.back()).first(task.n()));
}

std::vector<double> p_values_of(const Task& task, std::size_t k, const Grouping& grouping,
                                GroupId group = 0) {
  return count(scores_of(task, k), task.labels, grouping, group).p_values();
}

std::size_t some_k(const Task& task) { return *rc::gen::inRange<std::size_t>(1, task.n() + 1); }

auto literal_score(const Task& task, std::size_t k) {
  return [&task, k](const std::vector<Label>& labels, std::size_t i) {
    return vote_oracle::ratio_score(task, labels, i, k);
  };
}

RC_GTEST_PROP(RatioScores, PValuesAreThoseOfTheDefinition, ()) {
  const Task task = vote_problem::ratio_task();
  const std::size_t k = some_k(task);
  const auto everyone = [](Label, std::size_t) { return true; };
  RC_ASSERT(p_values_of(task, k, Grouping::none(task.n())) ==
            vote_oracle::p_values(task, literal_score(task, k), everyone));
}

RC_GTEST_PROP(RatioScores, GroupsCompareWithinThemselves, ()) {
  const Task task = vote_problem::ratio_task();
  const std::size_t k = some_k(task);
  const auto by_label = [&](Label y, std::size_t i) { return task.labels[i] == y; };
  RC_ASSERT(p_values_of(task, k, Grouping::by_label(task.labels, task.num_labels)) ==
            vote_oracle::p_values(task, literal_score(task, k), by_label));
  const std::vector<GroupId> groups = vote_problem::some_groups(task.n());
  const auto of_input = *rc::gen::inRange<GroupId>(0, 4);
  const auto by_input = [&](Label, std::size_t i) { return groups[i] == of_input; };
  RC_ASSERT(p_values_of(task, k, Grouping::by_input(groups), of_input) ==
            vote_oracle::p_values(task, literal_score(task, k), by_input));
}

RC_GTEST_PROP(RatioScores, TheOrderOfExamplesDoesNotMatter, ()) {
  const Task task = vote_problem::ratio_task();
  const std::size_t k = some_k(task);
  const Task other = vote_problem::permuted(task, vote_problem::some_order(task.n()));
  RC_ASSERT(scores_of(task, k).candidates == scores_of(other, k).candidates);
  RC_ASSERT(p_values_of(task, k, Grouping::none(task.n())) ==
            p_values_of(other, k, Grouping::none(task.n())));
}

RC_GTEST_PROP(RatioScores, SetsAreThePValuesAboveAlpha, ()) {
  const Task task = vote_problem::ratio_task();
  const auto percent = *rc::gen::inRange<std::size_t>(1, 100);
  const Miscoverage alpha =
      Miscoverage::parse((percent < 10 ? "0.0" : "0.") + std::to_string(percent));
  const CandidateCounts counts = count(scores_of(task, 1), task.labels, Grouping::none(task.n()));
  PredictionSet expected;
  for (Label y = 0; y < task.num_labels; ++y) {
    // (1 + at least) / (n + 1) > percent / 100, in whole numbers.
    if (100 * (1 + counts.exceedances[y].at_least()) > percent * (task.n() + 1)) {
      expected.push_back(y);
    }
  }
  RC_ASSERT(counts.predict_set(alpha) == expected);
}

ReferenceVectors of_line(const std::vector<double>& points) {
  return {{points.data(), points.size(), 1}, VectorDistance::euclidean, "points"};
}

/// Three examples on a line, at 0 and 0 with label 0 and at 2 with label 1, and an input at `x`.
CandidateScores on_a_line(double x, std::size_t num_labels = 3) {
  const std::vector<double> points = {0, 0, 2};
  const std::vector<Label> labels = {0, 0, 1};
  const RatioScores scores = RatioScores::of_vectors(of_line(points), labels, num_labels);
  return scores.candidates(std::vector<double>{std::abs(x), std::abs(x), std::abs(x - 2)});
}

TEST(RatioScores, AClassWithoutExamplesIsInfinitelyFar) {
  const CandidateScores scores = on_a_line(0.5);
  EXPECT_EQ(scores.candidates, (std::vector<double>{0.5 / 1.5, 3, infinite}));
  EXPECT_EQ(scores.with_other[2], infinite);  // the only one of its class
  EXPECT_EQ(scores.with_same[2], 1.5 / 2);
}

TEST(RatioScores, ZeroDistancesHaveValues) {
  EXPECT_EQ(on_a_line(0).candidates, (std::vector<double>{0, infinite, infinite}));
  // Example 0 has example 1 at distance 0, and the candidate, too.
  EXPECT_EQ(on_a_line(0).with_other[0], 1);
  EXPECT_EQ(on_a_line(0).with_same[0], 0);
}

TEST(RatioScores, WithoutOtherClassesTheRatioIsZero) {
  const std::vector<double> points = {0, 1};
  const std::vector<Label> labels = {0, 0};
  const RatioScores scores = RatioScores::of_vectors(of_line(points), labels, 1);
  EXPECT_EQ(scores.candidates(std::vector<double>{3, 2}).candidates, std::vector<double>{0});
}

TEST(RatioScores, FewerThanKRepeatTheLast) {
  const std::vector<double> points = {0, 1, 4};
  const std::vector<Label> labels = {0, 1, 1};
  const RatioScores scores = RatioScores::of_vectors(of_line(points), labels, 2, {.k = 2});
  const CandidateScores found = scores.candidates(std::vector<double>{2, 1, 2});
  EXPECT_EQ(found.candidates, (std::vector<double>{4.0 / 3, 3.0 / 4}));
}

TEST(RatioScores, RefusesWhatItCannotUse) {
  const std::vector<double> distances = {0, 1, 1, 0};
  const std::vector<double> negative = {0, -1, 1, 0};
  const std::vector<Label> labels = {0, 1};
  const auto of = [&](const std::vector<double>& values, std::size_t k = 1) {
    return RatioScores({values.data(), 2, 2}, labels, 2, {.k = k});
  };
  using test::expect_error;
  expect_error([&] { of(negative); }, ErrorKind::bad_format, {"entry [0, 1] is -1"});
  expect_error([&] { of(distances, 0); }, ErrorKind::invalid_input, {"k is 0"});
  expect_error([&] { of(distances, 3); }, ErrorKind::invalid_input, {"k is 3", "1 <= k <= 2"});
  expect_error(
      [&] {
        RatioScores({distances.data(), 1, 2}, labels, 2);
      },
      ErrorKind::invalid_input, {"[1, 2]", "[2, 2]"});
  expect_error(
      [&] {
        RatioScores({distances.data(), 2, 2}, labels, 1);
      },
      ErrorKind::bad_format, {"label"});
  const RatioScores scores = of(distances);
  expect_error(
      [&] {
        (void)scores.candidates(std::vector<double>{1, infinite});
      },
      ErrorKind::bad_format, {"inf"});
}

}  // namespace
}  // namespace caos::classification
