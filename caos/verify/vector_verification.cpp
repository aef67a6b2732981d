#include "caos/verify/vector_verification.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/calibration.hpp"
#include "caos/classification/evaluate_vectors.hpp"
#include "caos/classification/reference_vectors.hpp"
#include "caos/error.hpp"
#include "caos/text/text_evaluation.hpp"
#include "caos/verify/coverage_rows.hpp"
#include "caos/verify/vector_identities.hpp"

namespace caos {
namespace {

constexpr std::size_t num_vector_identity_splits = 3;
constexpr std::size_t most_vector_inputs = 8;

std::vector<Method> full_methods(const VerifyOptions& options) {
  if (options.methods.empty()) return {Method::full_ratio, Method::full_kernel};
  std::vector<Method> methods;
  std::ranges::copy_if(options.methods, std::back_inserter(methods), is_full_conformal_of_vectors);
  return methods;
}

Matrix<double> vectors_at(const LabeledVectors& examples, const Indices& positions) {
  Matrix<double> rows(0, examples.vectors.cols());
  for (const std::size_t i : positions) rows.push_row(examples.vectors.row(i));
  return rows;
}

std::vector<Label> labels_at(const LabeledVectors& examples, const Indices& positions) {
  std::vector<Label> labels;
  for (const std::size_t i : positions) labels.push_back(examples.labels[i]);
  return labels;
}

LabeledVectors labeled_part(const LabeledVectors& examples, const Indices& positions) {
  LabeledVectors labeled = examples;
  labeled.vectors = vectors_at(examples, positions);
  labeled.labels = labels_at(examples, positions);
  return labeled;
}

void add_trials(const LabeledVectors& labeled, const classification::TestVectors& test,
                const classification::VectorEvaluateOptions& what, const char* suffix,
                CoverageRows& rows) {
  const std::size_t n = labeled.labels.size();
  for (const MethodResult& result : classification::evaluate_vectors(labeled, test, what)) {
    rows.add(fmt::format("{}{}", method_name(result.method), suffix), result,
             {.n = n, .rank = conformal_rank(n, result.alpha), .tested = test.labels.size()});
  }
}

std::vector<CoverageCheck> coverage_of_vectors(const LabeledVectors& examples,
                                               const VectorClassifierOptions& how,
                                               const VerifyOptions& options, std::size_t tested) {
  CoverageRows rows;
  for (std::size_t s = 0; s < options.splits; ++s) {
    const TextSplit split = draw_text_split(examples.labels.size(), tested, options.seed + s);
    const LabeledVectors labeled = labeled_part(examples, split.labeled);
    const classification::TestVectors test{.vectors = vectors_at(examples, split.test),
                                           .labels = labels_at(examples, split.test)};
    classification::VectorEvaluateOptions what{
        .methods = full_methods(options), .alphas = options.alphas, .classifier = how};
    what.grouping = Grouping::none(labeled.labels.size());
    add_trials(labeled, test, what, "", rows);
    what.grouping = Grouping::by_label(labeled.labels, labeled.num_labels);
    add_trials(labeled, test, what, " by label", rows);
    if (options.progress) options.progress(s + 1, options.splits);
  }
  return rows.checks();
}

VectorProblem vector_problem_of(const LabeledVectors& examples, const VectorClassifierOptions& how,
                                const VerifyOptions& options, const TextSplit& split) {
  const Indices test(split.test.begin(),
                     split.test.begin() + static_cast<std::ptrdiff_t>(
                                              std::min(split.test.size(), most_vector_inputs)));
  return {.labeled = labeled_part(examples, split.labeled),
          .inputs = vectors_at(examples, test),
          .truths = labels_at(examples, test),
          .methods = full_methods(options),
          .alphas = with_more_alphas(options.alphas),
          .how = how,
          .threads = options.threads};
}

}  // namespace

VectorAnswers answer_vectors(const VectorProblem& problem) {
  VectorAnswers answers;
  for (const Method method : problem.methods) {
    VectorClassifierOptions how = problem.how;
    how.method = method;
    how.threads = problem.threads;
    LabeledVectors labeled = problem.labeled;
    if (method == Method::full_ratio) labeled.label_vectors = {};
    const VectorClassifier plain(labeled, how);
    const VectorClassifier by_label(labeled, Grouping::by_label(labeled.labels, labeled.num_labels),
                                    how);
    const std::size_t m = problem.inputs.rows();
    answers.p_values.emplace_back(m, labeled.num_labels);
    answers.p_values_by_label.emplace_back(m, labeled.num_labels);
    answers.sets.emplace_back(problem.alphas.size(), std::vector<PredictionSet>(m));
    const auto of_all = plain.predict(problem.inputs.view(), {.alphas = problem.alphas});
    const auto of_labels = by_label.predict(problem.inputs.view(), {});
    for (std::size_t t = 0; t < m; ++t) {
      std::ranges::copy(of_all[t].p_values, answers.p_values.back().row(t).begin());
      std::ranges::copy(of_labels[t].p_values, answers.p_values_by_label.back().row(t).begin());
      for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
        answers.sets.back()[a][t] = of_all[t].sets[a];
      }
    }
  }
  return answers;
}

Verification verify_vectors(const LabeledVectors& examples, const VectorClassifierOptions& how,
                            const VerifyOptions& options, const VectorAnswerer& answerer) {
  check_options(options);
  const std::size_t count = examples.labels.size();
  check_labels(examples.labels, examples.vectors.rows(), examples.num_labels, "labels");
  classification::check_vectors(examples.vectors.view(), examples.name, examples.vectors.cols());
  const std::size_t tested = options.test_size > 0 ? options.test_size : default_num_tested(count);
  check_num_tested(tested, count, how.k);
  Verification result{.part = "vectors",
                      .examples = count,
                      .labeled = count - tested,
                      .tested = tested,
                      .splits = options.splits,
                      .seed = options.seed,
                      .k = how.k};
  result.coverage = coverage_of_vectors(examples, how, options, tested);
  VectorIdentities identities;
  for (std::size_t s = 0; s < std::min(options.splits, num_vector_identity_splits); ++s) {
    const TextSplit split = draw_text_split(count, tested, options.seed + s);
    identities.look_at(vector_problem_of(examples, how, options, split), answerer,
                       options.seed + s);
  }
  result.identities = identities.all();
  return result;
}

}  // namespace caos
