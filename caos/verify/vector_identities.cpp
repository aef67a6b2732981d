#include "caos/verify/vector_identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caos/classification/standardize.hpp"
#include "caos/core/random_use.hpp"
#include "caos/verify/expect_equal.hpp"
#include "caos/verify/expect_same.hpp"
#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/plain_votes.hpp"
#include "caos/verify/reordering.hpp"

namespace caos {
namespace {

template <typename T>
Matrix<T> rows_in_order(const Matrix<T>& matrix, const Indices& order) {
  Matrix<T> result(0, matrix.cols());
  if (matrix.rows() == 0) return result;
  for (const std::size_t r : order) result.push_row(matrix.row(r));
  return result;
}

Matrix<double> columns_in_order(const Matrix<double>& matrix, const Indices& order) {
  Matrix<double> result(matrix.rows(), matrix.cols());
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t c = 0; c < order.size(); ++c) result(r, c) = matrix(r, order[c]);
  }
  return result;
}

// The same problem in other orders, and its answers as they should be.

VectorProblem with_example_order(VectorProblem problem, const Indices& order) {
  problem.labeled.vectors = rows_in_order(problem.labeled.vectors, order);
  problem.labeled.labels = reordered(problem.labeled.labels, order);
  return problem;
}

VectorProblem with_label_order(VectorProblem problem, const Indices& order) {
  const Indices places = places_of(order);
  for (Label& label : problem.labeled.labels) label = places[label];
  for (Label& label : problem.truths) label = places[label];
  problem.labeled.label_vectors = rows_in_order(problem.labeled.label_vectors, order);
  return problem;
}

VectorAnswers with_label_order(VectorAnswers answers, const Indices& order) {
  const Indices places = places_of(order);
  for (Matrix<double>& p : answers.p_values) p = columns_in_order(p, order);
  for (Matrix<double>& p : answers.p_values_by_label) p = columns_in_order(p, order);
  for (auto& of_method : answers.sets) {
    for (auto& of_alpha : of_method) {
      for (PredictionSet& set : of_alpha) set = moved(set, places);
    }
  }
  return answers;
}

VectorProblem with_test_order(VectorProblem problem, const Indices& order) {
  problem.inputs = rows_in_order(problem.inputs, order);
  problem.truths = reordered(problem.truths, order);
  return problem;
}

VectorAnswers with_test_order(VectorAnswers answers, const Indices& order) {
  for (Matrix<double>& p : answers.p_values) p = rows_in_order(p, order);
  for (Matrix<double>& p : answers.p_values_by_label) p = rows_in_order(p, order);
  for (auto& of_method : answers.sets) {
    for (auto& of_alpha : of_method) of_alpha = reordered(of_alpha, order);
  }
  return answers;
}

/// The vectors as methods see them: standardized, if they are to be.
VectorProblem as_seen(VectorProblem problem) {
  if (!problem.how.standardize) return problem;
  const std::array<MatrixView<const double>, 2> all = {problem.labeled.vectors.view(),
                                                       problem.inputs.view()};
  const classification::Standardization by(all);
  const Matrix<double> inputs = by.apply(std::as_const(problem).inputs.view());
  problem.labeled.vectors = by.apply(std::as_const(problem).labeled.vectors.view());
  if (problem.labeled.label_vectors.rows() > 0) {
    problem.labeled.label_vectors = by.apply(std::as_const(problem).labeled.label_vectors.view());
  }
  problem.inputs = inputs;
  problem.how.standardize = false;
  return problem;
}

/// All labels of an input, or where that would take long its true one and the next.
std::vector<Label> labels_to_define(const VectorProblem& problem, std::size_t t) {
  constexpr std::size_t affordable = 40'000'000;  // terms, for one input
  const std::size_t n = problem.labeled.labels.size();
  const std::size_t num_labels = problem.labeled.num_labels;
  const std::size_t count = std::clamp<std::size_t>(affordable / (n * n), 1, num_labels);
  std::vector<Label> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back((problem.truths[t] + i) % num_labels);
  return labels;
}

void expect_votes_defined(const VectorProblem& problem, const VectorAnswers& answers,
                          IdentityCheck& check) {
  const VectorProblem seen = as_seen(problem);
  for (std::size_t m = 0; m < seen.methods.size(); ++m) {
    VectorClassifierOptions how = seen.how;
    how.method = seen.methods[m];
    for (std::size_t t = 0; t < seen.inputs.rows(); ++t) {
      const plain::VectorDefinition definition(seen.labeled, seen.inputs.row(t), how);
      for (const Label y : labels_to_define(seen, t)) {
        const auto where = [&] {
          return fmt::format("{}, p-value of input {}, label {}", method_name(how.method), t, y);
        };
        check.expect(answers.p_values[m](t, y) == definition.p_value(y), where);
        check.expect(answers.p_values_by_label[m](t, y) == definition.p_value(y, true), where);
      }
    }
  }
}

void expect_p_values_decide(const VectorProblem& problem, const VectorAnswers& answers,
                            IdentityCheck& check) {
  const std::size_t n = problem.labeled.labels.size();
  for (std::size_t m = 0; m < problem.methods.size(); ++m) {
    for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
      for (std::size_t t = 0; t < problem.inputs.rows(); ++t) {
        for (Label y = 0; y < problem.labeled.num_labels; ++y) {
          const bool exceeds = plain::exceeds(plain::count_behind(answers.p_values[m](t, y), n), n,
                                              problem.alphas[a]);
          check.expect(plain::holds(answers.sets[m][a][t], y) == exceeds, [&] {
            return fmt::format("{}, input {}, label {}, alpha {}", method_name(problem.methods[m]),
                               t, y, problem.alphas[a].text());
          });
        }
      }
    }
  }
}

}  // namespace

void expect_same(const VectorAnswers& answers, const VectorAnswers& others,
                 const std::string& where, IdentityCheck& check) {
  expect_equal(answers.p_values, others.p_values, where + "p-value of method", check);
  expect_equal(answers.sets, others.sets, where + "set of method, alpha and input", check);
  expect_equal(answers.p_values_by_label, others.p_values_by_label,
               where + "p-value by label of method", check);
}

void VectorIdentities::look_at(const VectorProblem& problem, const VectorAnswerer& answerer,
                               std::uint64_t seed) {
  const VectorAnswers answers = answerer(problem);
  expect_votes_defined(problem, answers, definitions);
  expect_p_values_decide(problem, answers, membership);
  const std::size_t n = problem.labeled.labels.size();
  const TaskOfSets task{
      .alphas = problem.alphas,
      .units = plain::units_of({}, n),
      .num_labels = std::vector(problem.inputs.rows(), problem.labeled.num_labels)};
  for (const TaskSets& sets : answers.sets) {
    expect_nesting(task, sets, nesting);
    expect_every_label(task, sets, infeasible);
  }

  Rng rng = stream_for(RandomUse::identity_orders, seed);
  const Indices examples = random_order(n, rng);
  expect_same(answerer(with_example_order(problem, examples)), answers, "", example_order);
  const Indices labels = random_order(problem.labeled.num_labels, rng);
  expect_same(answerer(with_label_order(problem, labels)), with_label_order(answers, labels), "",
              label_order);
  const Indices inputs = random_order(problem.inputs.rows(), rng);
  expect_same(answerer(with_test_order(problem, inputs)), with_test_order(answers, inputs), "",
              test_order);

  expect_same_otherwise_run(problem, answerer, answers, kernels, threads);
}

std::vector<IdentityCheck> VectorIdentities::all() const {
  return explained({definitions, membership, nesting, infeasible, example_order, label_order,
                    test_order, kernels, threads});
}

}  // namespace caos
