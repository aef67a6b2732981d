#include "caos/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "caos/calibration.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/families.hpp"

namespace caos {
namespace {

/// What only SCOS Best looks at.
void check_labeled_part(const ScoreBundle& bundle) {
  if (!bundle.labeled) return;
  check_labeled(*bundle.labeled);
  check_num_labels(bundle.inputs.test, *bundle.labeled);
  require(bundle.labeled->num_inputs() == bundle.own.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} labeled examples; there are {}", bundle.labeled->name,
                       bundle.labeled->num_inputs(), bundle.own.size());
  });
}

void check_bundle(const ScoreBundle& bundle, const EvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  require(!options.conditional ||
              std::ranges::find(options.methods, Method::split_caos) != options.methods.end(),
          ErrorKind::invalid_input,
          "a confidence is for split-caos, the only method with a law for one calibration; add it "
          "to the methods");
  check_k(options.k, bundle.own.size());
  const TestInputs& inputs = bundle.inputs;
  inputs.check_shapes(bundle.own.size(), options.grouping.kind());
  require(inputs.size() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: holds no test examples", inputs.test.name); });
  std::vector<Label> listed = bundle.test_labels;
  std::ranges::replace(listed, unlisted_label, Label{0});
  check_labels(listed, inputs.size(), inputs.test.num_labels, "test labels");
  check_labeled_part(bundle);
}

/// The references of SCOS Best, by alpha; none where not requested or not known.
std::vector<std::size_t> best_references(const ScoreBundle& bundle,
                                         const EvaluateOptions& options) {
  std::vector<std::size_t> best;
  const bool wanted =
      std::ranges::find(options.methods, Method::scos_best) != options.methods.end();
  if (!wanted || !bundle.labeled) return best;
  for (const Miscoverage& alpha : options.alphas) {
    const auto thresholds =
        split::scos_thresholds(bundle.own, options.partition, alpha, options.rule);
    best.push_back(split::best_reference(*bundle.labeled, options.partition, thresholds));
  }
  return best;
}

using Families = std::vector<std::unique_ptr<MethodFamily>>;

std::vector<MethodResult> all_results(const Families& families, std::size_t num_test) {
  std::vector<MethodResult> results;
  for (const auto& family : families) {
    results.insert(results.end(), family->results().begin(), family->results().end());
  }
  for (MethodResult& result : results) result.outcomes.resize(num_test);
  return results;
}

void measure_one(const Families& families, const TestInput& input, std::size_t t, Label truth,
                 std::vector<MethodResult>& results) {
  std::size_t first = 0;
  for (const auto& family : families) {
    std::vector<Outcome> outcomes(family->results().size());
    family->measure(input, truth, outcomes);
    for (const Outcome& outcome : outcomes) results[first++].outcomes[t] = outcome;
  }
}

/// Counts finished test examples and tells the caller, one thread at a time.
class Progress {
 public:
  Progress(const EvaluateOptions& options, std::size_t total)
      : report_(options.progress), total_(total) {}

  void advance(std::size_t count) {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    report_(done_ += count, total_);
  }

 private:
  const std::function<void(std::size_t, std::size_t)>& report_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

/// The outcomes of the test examples that belong to group `id`.
std::vector<Outcome> outcomes_of_group(const ScoreBundle& bundle, const EvaluateOptions& options,
                                       const MethodResult& result, GroupId id) {
  const bool by_label = options.grouping.kind() == Grouping::Kind::by_label;
  std::vector<Outcome> outcomes;
  for (std::size_t t = 0; t < result.outcomes.size(); ++t) {
    const GroupId group =
        by_label ? static_cast<GroupId>(bundle.test_labels[t]) : bundle.inputs.groups[t];
    if (group == id) outcomes.push_back(result.outcomes[t]);
  }
  return outcomes;
}

/// Groups that only test examples are in: nothing to compare with, so every label is in their sets.
void add_unknown_groups(const ScoreBundle& bundle, const EvaluateOptions& options,
                        MethodResult& result) {
  for (const GroupId id : bundle.inputs.unknown_groups(options.grouping)) {
    GroupResult group;
    group.id = id;
    group.rank = conformal_rank(0, result.alpha);
    group.feasible = result.feasible = false;
    result.groups.push_back(group);
  }
}

void evaluate_outcomes(const ScoreBundle& bundle, const EvaluateOptions& options,
                       MethodResult& result) {
  add_unknown_groups(bundle, options, result);
  result.evaluation =
      summarize(result.outcomes, result.method == Method::scos ? IntervalKind::standard_error
                                                               : IntervalKind::clopper_pearson);
  for (GroupResult& group : result.groups) {
    const auto outcomes = outcomes_of_group(bundle, options, result, group.id);
    group.num_test = outcomes.size();
    if (!outcomes.empty()) group.evaluation = summarize(outcomes);
  }
}

/// Families come in their own order; results are in the order in which methods were asked for.
void sort_as_asked(std::vector<MethodResult>& results, const std::vector<Method>& methods) {
  std::ranges::stable_sort(results, {}, [&](const MethodResult& result) {
    return std::ranges::find(methods, result.method) - methods.begin();
  });
}

}  // namespace

void check_num_labels(const ScoreTensor& test, const ScoreTensor& labeled) {
  require(labeled.num_labels == test.num_labels, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} labels per example; {} has {}", test.name, test.num_labels,
                       labeled.name, labeled.num_labels);
  });
}

std::vector<MethodResult> evaluate(const ScoreBundle& bundle, const EvaluateOptions& options) {
  check_bundle(bundle, options);
  const std::size_t num_test = bundle.inputs.size();
  const Families families = make_families({.own = bundle.own,
                                           .best = best_references(bundle, options),
                                           .has_reverse = bundle.inputs.has_reverse()},
                                          options);
  std::vector<MethodResult> results = all_results(families, num_test);
  Progress progress(options, num_test);
  parallel_for(num_test, 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      bundle.inputs.check_scores(t);
      measure_one(families, bundle.inputs[t], t, bundle.test_labels[t], results);
    }
    progress.advance(last - first);
  });
  for (MethodResult& result : results) evaluate_outcomes(bundle, options, result);
  sort_as_asked(results, options.methods);
  return results;
}

}  // namespace caos
