#include "caos/classification/kernel_votes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/classification/vote_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::classification {
namespace {

using vote_problem::Task;

KernelVotes votes_of(const Task& task, const KernelOptions& options = {}) {
  const Matrix<double> pairs = vote_problem::matrix(task.pairs, task.n(), task.n());
  const Matrix<double> to_labels = vote_problem::matrix(task.to_labels, task.n(), task.num_labels);
  return KernelVotes::of_similarities(pairs.view(), task.labels, task.num_labels, options,
                                      to_labels.view());
}

CandidateScores scores_of(const Task& task, const KernelOptions& options = {}) {
  const std::span<const double> row = std::span(task.pairs.back()).first(task.n());
  const auto to_labels =
      task.to_labels.empty() ? std::span<const double>() : std::span(task.to_labels.back());
  return votes_of(task, options).candidates(row, to_labels);
}

std::vector<double> p_values_of(const Task& task, const Grouping& grouping, GroupId group = 0,
                                const KernelOptions& options = {}) {
  return count(scores_of(task, options), task.labels, grouping, group).p_values();
}

auto literal_score(const Task& task, const KernelOptions& options) {
  const double b = options.prior_weight_of(!task.to_labels.empty());
  return [&task, b, t = options.temperature](const std::vector<Label>& labels, std::size_t i) {
    return vote_oracle::kernel_score(task, labels, i, t, b);
  };
}

KernelOptions some_options() {
  KernelOptions options;
  if (*rc::gen::arbitrary<bool>()) options.temperature = *rc::gen::element(0.01, 0.05, 1.0);
  if (*rc::gen::arbitrary<bool>()) options.prior_weight = *rc::gen::element(1e-6, 0.3, 5.0);
  return options;
}

RC_GTEST_PROP(KernelVotes, PValuesAreThoseOfTheDefinition, ()) {
  const Task task = vote_problem::kernel_task();
  const KernelOptions options = some_options();
  const auto everyone = [](Label, std::size_t) { return true; };
  RC_ASSERT(p_values_of(task, Grouping::none(task.n()), 0, options) ==
            vote_oracle::p_values(task, literal_score(task, options), everyone));
}

RC_GTEST_PROP(KernelVotes, GroupsCompareWithinThemselves, ()) {
  const Task task = vote_problem::kernel_task();
  const auto score = literal_score(task, {});
  const auto by_label = [&](Label y, std::size_t i) { return task.labels[i] == y; };
  RC_ASSERT(p_values_of(task, Grouping::by_label(task.labels, task.num_labels)) ==
            vote_oracle::p_values(task, score, by_label));
  const std::vector<GroupId> groups = vote_problem::some_groups(task.n());
  const auto of_input = *rc::gen::inRange<GroupId>(0, 4);
  const auto by_input = [&](Label, std::size_t i) { return groups[i] == of_input; };
  RC_ASSERT(p_values_of(task, Grouping::by_input(groups), of_input) ==
            vote_oracle::p_values(task, score, by_input));
}

RC_GTEST_PROP(KernelVotes, TheOrderOfExamplesDoesNotMatter, ()) {
  const Task task = vote_problem::kernel_task();
  const Task other = vote_problem::permuted(task, vote_problem::some_order(task.n()));
  RC_ASSERT(scores_of(task).candidates == scores_of(other).candidates);
  RC_ASSERT(p_values_of(task, Grouping::none(task.n())) ==
            p_values_of(other, Grouping::none(task.n())));
}

RC_GTEST_PROP(KernelVotes, EveryLabelHasAPositiveProbability, ()) {
  const Task task = vote_problem::kernel_task();
  double sum = 0;
  for (const double score : scores_of(task, some_options()).candidates) {
    RC_ASSERT(score < 0 && score >= -1);
    sum -= score;
  }
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
}

Matrix<float> some_unit_rows(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Rng rng(seed);
  Matrix<float> result(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    double squared = 0;
    for (float& value : result.row(r)) {
      value = static_cast<float>(rng.uniform() - 0.5);
      squared += double{value} * double{value};
    }
    for (float& value : result.row(r)) value /= static_cast<float>(std::sqrt(squared));
  }
  return result;
}

double plain_dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += double{a[d]} * double{b[d]};
  return sum;
}

TEST(KernelVotes, FormulaOnVectors) {
  const std::size_t n = 37;
  const std::size_t num_labels = 3;
  const Matrix<float> vectors = some_unit_rows(n, 19, 1);
  const Matrix<float> names = some_unit_rows(num_labels, 19, 2);
  const Matrix<float> x = some_unit_rows(1, 19, 3);
  std::vector<Label> labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = i % num_labels;
  const KernelVotes votes(vectors.view(), labels, num_labels, {.temperature = 0.2}, names.view());
  std::vector<double> similarities;
  std::vector<double> to_labels;
  for (std::size_t i = 0; i < n; ++i) similarities.push_back(plain_dot(vectors.row(i), x.row(0)));
  for (std::size_t y = 0; y < num_labels; ++y) {
    to_labels.push_back(plain_dot(names.row(y), x.row(0)));
  }
  std::vector<double> expected(num_labels);
  double softmax_sum = 0;
  double all = 0.1;
  for (const double c : to_labels) softmax_sum += std::exp(c / 0.2);
  for (std::size_t y = 0; y < num_labels; ++y) {
    expected[y] = 0.1 * std::exp(to_labels[y] / 0.2) / softmax_sum;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double w = std::exp((similarities[i] - 1) / 0.2);
    expected[labels[i]] += w;
    all += w;
  }
  const std::vector<double> found = votes.probabilities(similarities, to_labels);
  for (Label y = 0; y < num_labels; ++y) EXPECT_NEAR(found[y], expected[y] / all, 1e-9);
}

TEST(KernelVotes, VectorsAndTheirSimilaritiesAreTheSame) {
  const std::size_t n = 41;
  const Matrix<float> vectors = some_unit_rows(n, 24, 5);
  std::vector<Label> labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = i % 4;
  Matrix<double> pairs(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) pairs(i, j) = plain_dot(vectors.row(i), vectors.row(j));
  }
  const std::vector<double> row(pairs.row(7).begin(), pairs.row(7).end());
  const auto scores = KernelVotes(vectors.view(), labels, 4).candidates(row);
  const auto others = KernelVotes::of_similarities(pairs.view(), labels, 4).candidates(row);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(scores.with_same[i], others.with_same[i], 1e-9);
    EXPECT_NEAR(scores.with_other[i], others.with_other[i], 1e-9);
  }
  const auto two = KernelVotes(vectors.view(), labels, 4, {.threads = 2}).candidates(row);
  EXPECT_EQ(scores.with_same, two.with_same);
}

TEST(KernelVotes, RefusesWhatItCannotUse) {
  const Matrix<float> vectors = some_unit_rows(3, 4, 1);
  const std::vector<Label> labels = {0, 1, 0};
  const auto with = [&](const KernelOptions& options) {
    return KernelVotes(vectors.view(), labels, 2, options);
  };
  using test::expect_error;
  expect_error([&] { with({.temperature = 0}); }, ErrorKind::invalid_input, {"temperature 0"});
  expect_error([&] { with({.temperature = std::nan("")}); }, ErrorKind::invalid_input,
               {"temperature nan"});
  expect_error([&] { with({.prior_weight = -1}); }, ErrorKind::invalid_input, {"prior weight -1"});
  expect_error([&] { KernelVotes({}, {}, 2); }, ErrorKind::invalid_input, {"labeled example"});
  expect_error([&] { KernelVotes(vectors.view(), labels, 1); }, ErrorKind::bad_format, {"label"});
  const Matrix<float> names = some_unit_rows(3, 4, 2);
  expect_error([&] { KernelVotes(vectors.view(), labels, 2, {}, names.view()); },
               ErrorKind::invalid_input, {"[3, 4]", "[2, 4]"});
}

TEST(KernelOptions, OtherValuesAreNotTheDefault) {
  EXPECT_TRUE(KernelOptions{}.are_default(true));
  EXPECT_TRUE(KernelOptions{.prior_weight = 0.1}.are_default(true));
  EXPECT_FALSE(KernelOptions{.prior_weight = 0.1}.are_default(false));
  EXPECT_FALSE(KernelOptions{.temperature = 0.2}.are_default(true));
}

}  // namespace
}  // namespace caos::classification
