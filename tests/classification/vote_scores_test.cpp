#include "caos/classification/vote_scores.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/classification/vote_problem.hpp"

namespace caos::classification {
namespace {

using vote_problem::Task;

std::span<const double> names_of(const Task& task, std::size_t i) {
  return task.to_labels.empty() ? std::span<const double>() : std::span(task.to_labels[i]);
}

/// A task with example j alone; the input comes last.
Task with_one(const Task& task, std::size_t j) {
  Task one = task;
  one.labels = {task.labels[j]};
  one.pairs = {{1, task.pairs.back()[j]}, {task.pairs.back()[j], 1}};
  if (!task.to_labels.empty()) one.to_labels = {task.to_labels[j], task.to_labels.back()};
  return one;
}

RC_GTEST_PROP(VoteScores, AreTheLikelihoodOfOneVote, ()) {
  const Task task = vote_problem::kernel_task();
  const KernelOptions options;
  const LabelPrior prior = label_prior(names_of(task, task.n()), task.num_labels, options);
  Matrix<Score> scores(task.num_labels, task.n());
  vote_scores(std::span(task.pairs.back()).first(task.n()), prior, task.labels, 0.1, scores.view());
  for (std::size_t j = 0; j < task.n(); ++j) {
    const Task one = with_one(task, j);
    for (Label y = 0; y < task.num_labels; ++y) {
      const double p = -vote_oracle::kernel_score(one, {one.labels[0], y}, 1, 0.1,
                                                  options.prior_weight_of(!task.to_labels.empty()));
      RC_ASSERT(std::isfinite(scores(y, j)));
      RC_ASSERT(std::abs(scores(y, j) + std::log(p)) < 1e-9);
    }
  }
}

RC_GTEST_PROP(VoteScores, ReverseScoresAreThoseOfTheExampleUnderTheCandidate, ()) {
  const Task task = vote_problem::kernel_task();
  std::vector<LabelPrior> priors;
  for (std::size_t i = 0; i < task.n(); ++i) {
    priors.push_back(label_prior(names_of(task, i), task.num_labels, {}));
  }
  Matrix<Score> reverse(task.num_labels, task.n());
  const auto cosines = std::span(task.pairs.back()).first(task.n());
  reverse_vote_scores(cosines, priors, task.labels, 0.1, reverse.view());
  for (std::size_t i = 0; i < task.n(); ++i) {
    for (Label y = 0; y < task.num_labels; ++y) {
      Matrix<Score> forward(task.num_labels, 1);
      vote_scores(cosines.subspan(i, 1), priors[i], std::span(&y, 1), 0.1, forward.view());
      RC_ASSERT(reverse(y, i) == forward(task.labels[i], 0));
    }
  }
}

}  // namespace
}  // namespace caos::classification
