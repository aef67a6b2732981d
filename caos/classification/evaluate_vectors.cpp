#include "caos/classification/evaluate_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "caos/classification/standardize.hpp"
#include "caos/classification/vector_rules.hpp"
#include "caos/classification/vote_scores.hpp"
#include "caos/error.hpp"

namespace caos::classification {
namespace {

constexpr double most_array_bytes = 8.0 * (std::size_t{1} << 30U);

std::vector<Method> of_arrays(const std::vector<Method>& methods) {
  std::vector<Method> result;
  std::ranges::copy_if(methods, std::back_inserter(result),
                       [](Method m) { return !is_full_conformal_of_vectors(m); });
  return result;
}

bool asks_for(const std::vector<Method>& methods, Method method) {
  return std::ranges::find(methods, method) != methods.end();
}

// Full conformal.

/// The group of a test example.
GroupId group_of(const TestVectors& test, std::size_t t, Grouping::Kind kind) {
  return kind == Grouping::Kind::by_label ? static_cast<GroupId>(test.labels[t]) : test.groups[t];
}

/// The groups of labeled and test examples, ascending; labels that are not listed are in none.
std::set<GroupId> all_groups(const Grouping& grouping, const TestVectors& test) {
  std::set<GroupId> ids;
  for (std::size_t g = 0; g < grouping.num_groups(); ++g) ids.insert(grouping.id(g));
  if (grouping.kind() == Grouping::Kind::by_input) {
    ids.insert(test.groups.begin(), test.groups.end());
  }
  return ids;
}

GroupResult group_result(GroupId id, const Grouping& grouping, const TestVectors& test,
                         const MethodResult& result, RankRule rule) {
  GroupResult group;
  group.id = id;
  for (std::size_t i = 0; i < grouping.num_examples(); ++i) {
    if (grouping.id(grouping.of_example(i)) == id) ++group.n;
  }
  group.rank = deciding_rank(group.n, result.alpha, rule);
  group.feasible = is_feasible(group.n, result.alpha);
  std::vector<Outcome> outcomes;
  for (std::size_t t = 0; t < result.outcomes.size(); ++t) {
    if (group_of(test, t, grouping.kind()) == id) outcomes.push_back(result.outcomes[t]);
  }
  group.num_test = outcomes.size();
  if (!outcomes.empty()) group.evaluation = summarize(outcomes);
  return group;
}

void add_groups(const Grouping& grouping, const TestVectors& test, RankRule rule,
                MethodResult& result) {
  if (grouping.kind() == Grouping::Kind::none) return;
  for (const GroupId id : all_groups(grouping, test)) {
    result.groups.push_back(group_result(id, grouping, test, result, rule));
    result.feasible = result.feasible && result.groups.back().feasible;
  }
}

void add_full(const LabeledVectors& labeled, const TestVectors& test, Method method,
              const VectorEvaluateOptions& options, std::vector<MethodResult>& results) {
  VectorClassifierOptions how = options.classifier;
  how.method = method;
  LabeledVectors examples = labeled;
  if (method == Method::full_ratio) examples.label_vectors = {};
  const VectorClassifier classifier(std::move(examples), options.grouping, how);
  const auto predictions = classifier.predict(test.vectors.view(), {.alphas = options.alphas,
                                                                    .rule = options.rule,
                                                                    .groups = test.groups,
                                                                    .name = test.name,
                                                                    .progress = options.progress});
  for (std::size_t a = 0; a < options.alphas.size(); ++a) {
    const Miscoverage& alpha = options.alphas[a];
    MethodResult result{.method = method,
                        .alpha = alpha,
                        .guarantee = classifier.guarantee(alpha, options.rule),
                        .feasible = classifier.is_feasible(alpha)};
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      result.outcomes.push_back(outcome_of(predictions[t].sets[a], test.labels[t]));
    }
    result.evaluation = summarize(result.outcomes);
    if (classifier.grouping().kind() == Grouping::Kind::none) {
      result.rank = deciding_rank(classifier.size(), alpha, options.rule);
    }
    add_groups(classifier.grouping(), test, options.rule, result);
    results.push_back(std::move(result));
  }
}

// Methods on score arrays.

void check_array_size(const LabeledVectors& labeled, const TestVectors& test,
                      const std::vector<Method>& methods) {
  const auto n = static_cast<double>(labeled.labels.size());
  const double rows = static_cast<double>(labeled.num_labels) *
                      (n + static_cast<double>(test.labels.size()) *
                               (asks_for(methods, Method::full_caos) ? 2 : 1));
  require(rows * n * sizeof(Score) <= most_array_bytes, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} needs score arrays of {:.0f} GiB for so many examples and labels; choose full-kernel "
        "or full-ratio",
        method_name(methods[0]), rows * n * sizeof(Score) / (std::size_t{1} << 30U));
  });
}

std::vector<MethodResult> evaluate_votes(const LabeledVectors& labeled, const TestVectors& test,
                                         const VectorEvaluateOptions& options) {
  const std::vector<Method> methods = of_arrays(options.methods);
  if (methods.empty()) return {};
  check_array_size(labeled, test, methods);
  const Matrix<float> vectors = directions(labeled.vectors.view(), labeled.name);
  const Matrix<float> names = directions(labeled.label_vectors.view(), labeled.label_vectors_name);
  const Matrix<float> inputs = directions(test.vectors.view(), test.name);
  const VoteReferences references{.vectors = vectors.view(),
                                  .labels = labeled.labels,
                                  .num_labels = labeled.num_labels,
                                  .label_vectors = names.view(),
                                  .options = kernel_options(options.classifier)};
  const auto tensor = [&](const Matrix<Score>& scores, const char* name) {
    return ScoreTensor{scores.view(), labeled.num_labels, name};
  };
  const Matrix<Score> own = references.scores(vectors.view());
  const Matrix<Score> scores = references.scores(inputs.view());
  const bool full = asks_for(methods, Method::full_caos);
  const Matrix<Score> reverse = full ? references.reverse_scores(inputs.view()) : Matrix<Score>();
  const ScoreTensor of_labeled = tensor(own, "labeled votes");
  TestInputs test_inputs{.test = tensor(scores, "test votes")};
  test_inputs.groups = test.groups;
  if (full) test_inputs.reverse = tensor(reverse, "reverse votes");
  const ScoreBundle bundle{OwnScores::of_labeled(of_labeled, labeled.labels),
                           std::move(test_inputs), test.labels, of_labeled};
  return evaluate(bundle, {.methods = methods,
                           .alphas = options.alphas,
                           .k = options.k,
                           .grouping = options.grouping,
                           .partition = options.partition,
                           .rule = options.rule,
                           .conditional = options.conditional,
                           .threads = options.classifier.threads,
                           .progress = options.progress});
}

void sort_as_in(const std::vector<Method>& methods, std::vector<MethodResult>& results) {
  std::ranges::stable_sort(results, {}, [&](const MethodResult& result) {
    return std::ranges::find(methods, result.method) - methods.begin();
  });
}

/// Labeled and test vectors, standardized together.
std::pair<LabeledVectors, TestVectors> standardized_together(const LabeledVectors& labeled,
                                                             const TestVectors& test) {
  check_vectors(labeled.vectors.view(), labeled.name, labeled.vectors.cols());
  check_vectors(test.vectors.view(), test.name, labeled.vectors.cols());
  const std::array<MatrixView<const double>, 2> all = {labeled.vectors.view(), test.vectors.view()};
  const Standardization by(all);
  std::pair<LabeledVectors, TestVectors> result{labeled, test};
  result.first.vectors = by.apply(labeled.vectors.view());
  if (labeled.label_vectors.rows() > 0) {
    check_vectors(labeled.label_vectors.view(), labeled.label_vectors_name, labeled.vectors.cols());
    result.first.label_vectors = by.apply(labeled.label_vectors.view());
  }
  result.second.vectors = by.apply(test.vectors.view());
  return result;
}

}  // namespace

std::vector<MethodResult> evaluate_vectors(const LabeledVectors& labeled, const TestVectors& test,
                                           const VectorEvaluateOptions& options) {
  require(test.vectors.rows() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: has no test examples", test.name); });
  if (options.classifier.standardize) {
    const auto [examples, inputs] = standardized_together(labeled, test);
    VectorEvaluateOptions plain = options;
    plain.classifier.standardize = false;
    return evaluate_vectors(examples, inputs, plain);
  }
  std::vector<MethodResult> results;
  for (const Method method : options.methods) {
    if (is_full_conformal_of_vectors(method)) add_full(labeled, test, method, options, results);
  }
  VectorEvaluateOptions how = options;
  if (how.grouping.kind() == Grouping::Kind::none) {
    how.grouping = Grouping::none(labeled.labels.size());
  }
  std::ranges::move(evaluate_votes(labeled, test, how), std::back_inserter(results));
  sort_as_in(options.methods, results);
  return results;
}

}  // namespace caos::classification
