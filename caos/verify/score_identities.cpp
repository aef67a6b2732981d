#include "caos/verify/score_identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/random_use.hpp"
#include "caos/verify/expect_equal.hpp"
#include "caos/verify/expect_same.hpp"
#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/reordering.hpp"

namespace caos {
namespace {

// The same problem in other orders.

Matrix<Score> with_columns(const Matrix<Score>& matrix, const Indices& order) {
  Matrix<Score> result(matrix.rows(), matrix.cols());
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t c = 0; c < order.size(); ++c) result(r, c) = matrix(r, order[c]);
  }
  return result;
}

/// Blocks of as many rows as `within` has, and the rows of each of them, in these orders.
template <typename T>
Matrix<T> with_rows(const Matrix<T>& matrix, const Indices& blocks, const Indices& within) {
  Matrix<T> result(0, matrix.cols());
  if (matrix.rows() == 0) return result;
  for (const std::size_t block : blocks) {
    for (const std::size_t y : within) result.push_row(matrix.row(block * within.size() + y));
  }
  return result;
}

ScoreProblem with_example_order(ScoreProblem problem, const Indices& order) {
  problem.labeled =
      with_columns(with_rows(problem.labeled, order, in_order(problem.num_labels)), order);
  problem.test = with_columns(problem.test, order);
  problem.reverse = with_columns(problem.reverse, order);
  problem.labels = reordered(problem.labels, order);
  const Indices places = places_of(order);
  problem.partition = {.references = moved(problem.partition.references, places),
                       .calibration = moved(problem.partition.calibration, places)};
  return problem;
}

/// Label y becomes places[y].
ScoreProblem with_label_order(ScoreProblem problem, const Indices& order) {
  const Indices places = places_of(order);
  problem.labeled = with_rows(problem.labeled, in_order(problem.n()), order);
  problem.test = with_rows(problem.test, in_order(problem.num_test()), order);
  problem.reverse = with_rows(problem.reverse, in_order(problem.num_test()), order);
  for (Label& label : problem.labels) label = places[label];
  for (Label& label : problem.truths) label = places[label];
  return problem;
}

ScoreProblem with_test_order(ScoreProblem problem, const Indices& order) {
  const Indices labels = in_order(problem.num_labels);
  problem.test = with_rows(problem.test, order, labels);
  problem.reverse = with_rows(problem.reverse, order, labels);
  problem.truths = reordered(problem.truths, order);
  return problem;
}

// Answers to a reordered problem, as they should be.

TaskSets with_labels(TaskSets sets, const Indices& places) {
  for (auto& of_alpha : sets) {
    for (PredictionSet& set : of_alpha) set = moved(set, places);
  }
  return sets;
}

ScoreAnswers with_example_order(ScoreAnswers answers, const Indices& order) {
  answers.calibration_scores = reordered(answers.calibration_scores, order);
  return answers;
}

ScoreAnswers with_label_order(ScoreAnswers answers, const Indices& order) {
  const Indices places = places_of(order);
  answers.label_scores = with_columns(answers.label_scores, order);
  answers.p_values = with_columns(answers.p_values, order);
  answers.full_p_values = with_columns(answers.full_p_values, order);
  answers.sets = with_labels(std::move(answers.sets), places);
  answers.full_sets = with_labels(std::move(answers.full_sets), places);
  return answers;
}

ScoreAnswers with_test_order(ScoreAnswers answers, const Indices& order) {
  const auto reorder = [&](auto& by_input) {
    for (auto& values : by_input) values = reordered(values, order);
  };
  answers.label_scores = with_rows(answers.label_scores, order, {0});
  answers.p_values = with_rows(answers.p_values, order, {0});
  answers.full_p_values = with_rows(answers.full_p_values, order, {0});
  reorder(answers.sets);
  reorder(answers.full_sets);
  reorder(answers.outcomes);
  return answers;
}

// What must be so of one answer.

void expect_membership(const ScoreProblem& problem, const ScoreAnswers& answers,
                       IdentityCheck& check) {
  for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
    const Miscoverage& alpha = problem.alphas[a];
    const auto by_p = [&](const Matrix<double>& p_values, std::size_t t, Label y) {
      return plain::exceeds(plain::count_behind(p_values(t, y), problem.n()), problem.n(), alpha);
    };
    for (std::size_t t = 0; t < problem.num_test(); ++t) {
      for (Label y = 0; y < problem.num_labels; ++y) {
        const auto where = [&] {
          return fmt::format("input {}, label {}, alpha {}", t, y, alpha.text());
        };
        const bool in_set = plain::holds(answers.sets[a][t], y);
        check.expect(in_set == by_p(answers.p_values, t, y), where);
        check.expect(in_set == (answers.label_scores(t, y) <= answers.thresholds[a]), where);
        if (!problem.has_reverse()) continue;
        check.expect(plain::holds(answers.full_sets[a][t], y) == by_p(answers.full_p_values, t, y),
                     [&] { return "Full CAOS, " + where(); });
      }
    }
  }
}

void expect_smaller_p_values(const ScoreProblem& problem, const ScoreAnswers& answers,
                             IdentityCheck& check) {
  for (std::size_t t = 0; t < problem.num_test(); ++t) {
    for (Label y = 0; y < problem.num_labels; ++y) {
      check.expect(answers.full_p_values(t, y) <= answers.p_values(t, y),
                   [&] { return fmt::format("p-value of input {}, label {}", t, y); });
    }
  }
}

TaskOfSets task_of(const ScoreProblem& problem) {
  return {.alphas = problem.alphas,
          .units = plain::units_of({}, problem.n()),
          .num_labels = std::vector(problem.num_test(), problem.num_labels)};
}

}  // namespace

void expect_same(const ScoreAnswers& answers, const ScoreAnswers& others, const std::string& where,
                 IdentityCheck& check) {
  expect_equal(answers.calibration_scores, others.calibration_scores, where + "calibration score",
               check);
  expect_equal(answers.thresholds, others.thresholds, where + "threshold", check);
  expect_equal(answers.label_scores, others.label_scores, where + "label score", check);
  expect_equal(answers.p_values, others.p_values, where + "p-value", check);
  expect_equal(answers.sets, others.sets, where + "set at alpha and input number", check);
  expect_equal(answers.full_p_values, others.full_p_values, where + "Full p-value", check);
  expect_equal(answers.full_sets, others.full_sets, where + "Full set at alpha and input number",
               check);
  expect_equal(answers.outcomes, others.outcomes,
               where + "outcome of method and alpha, and input number", check);
}

void ScoreIdentities::look_at(const ScoreProblem& problem, const ScoreAnswerer& answerer,
                              std::uint64_t seed) {
  const ScoreAnswers answers = answerer(problem);
  expect_definitions(problem, answers, definitions);
  expect_membership(problem, answers, membership);
  const TaskOfSets task = task_of(problem);
  expect_inclusion(task, answers.sets, answers.full_sets, inclusion);
  if (problem.has_reverse()) {
    expect_smaller_p_values(problem, answers, inclusion);
  } else {
    inclusion.why_not_checked = "Full CAOS needs reverse scores, or symmetric ones";
  }
  for (const TaskSets* sets : {&answers.sets, &answers.full_sets}) {
    expect_nesting(task, *sets, nesting);
    expect_every_label(task, *sets, infeasible);
  }

  Rng rng = stream_for(RandomUse::identity_orders, seed);
  const Indices examples = random_order(problem.n(), rng);
  const ScoreProblem same_choices = without_first_choices(problem);
  expect_same(answerer(with_example_order(same_choices, examples)),
              with_example_order(answerer(same_choices), examples), "", example_order);
  const Indices labels = random_order(problem.num_labels, rng);
  expect_same(answerer(with_label_order(problem, labels)), with_label_order(answers, labels), "",
              label_order);
  const Indices inputs = random_order(problem.num_test(), rng);
  expect_same(answerer(with_test_order(problem, inputs)), with_test_order(answers, inputs), "",
              test_order);

  expect_same_otherwise_run(problem, answerer, answers, kernels, threads);
}

std::vector<IdentityCheck> ScoreIdentities::all() const {
  return explained({definitions, membership, inclusion, nesting, infeasible, example_order,
                    label_order, test_order, kernels, threads});
}

}  // namespace caos
