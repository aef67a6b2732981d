#include "caos/engine/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

#include "caos/conformal/calibration.hpp"
#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/families.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

void check_bundle(const ScoreBundle& bundle, const EvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  check_k(options.k, bundle.own.size());
  const ScoreTensor& test = bundle.test;
  require(test.num_references() == bundle.own.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} references; there are {} labelled examples", test.name,
                       test.num_references(), bundle.own.size());
  });
  require(test.num_inputs() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: holds no test examples", test.name); });
  check_labels(bundle.test_labels, test.num_inputs(), test.num_labels, "test labels");
  if (bundle.reverse) check_same_shape(*bundle.reverse, test);
  const bool by_input = options.grouping.kind() == Grouping::Kind::by_input;
  require(!by_input || bundle.test_groups.size() == test.num_inputs(), ErrorKind::invalid_input,
          [&] {
            return fmt::format("{} groups were given for {} test examples; give one each",
                               bundle.test_groups.size(), test.num_inputs());
          });
}

TestInput test_input(const ScoreBundle& bundle, std::size_t t) {
  check_input(bundle.test, t);
  TestInput input{.pools = bundle.test.input(t)};
  if (bundle.symmetric) input.reverse = input.pools;
  if (bundle.reverse) {
    check_input(*bundle.reverse, t);
    input.reverse = bundle.reverse->input(t);
  }
  if (!bundle.test_groups.empty()) input.group = bundle.test_groups[t];
  return input;
}

using Families = std::vector<std::unique_ptr<MethodFamily>>;

std::vector<MethodResult> all_rows(const Families& families, std::size_t num_test) {
  std::vector<MethodResult> rows;
  for (const auto& family : families) {
    rows.insert(rows.end(), family->rows().begin(), family->rows().end());
  }
  for (MethodResult& row : rows) row.outcomes.resize(num_test);
  return rows;
}

void measure_one(const Families& families, const TestInput& input, std::size_t t, Label truth,
                 std::vector<MethodResult>& rows) {
  std::size_t first = 0;
  for (const auto& family : families) {
    std::vector<Outcome> outcomes(family->rows().size());
    family->measure(input, truth, outcomes);
    for (const Outcome& outcome : outcomes) rows[first++].outcomes[t] = outcome;
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
                                       const MethodResult& row, GroupId id) {
  const bool by_label = options.grouping.kind() == Grouping::Kind::by_label;
  std::vector<Outcome> outcomes;
  for (std::size_t t = 0; t < row.outcomes.size(); ++t) {
    const GroupId group =
        by_label ? static_cast<GroupId>(bundle.test_labels[t]) : bundle.test_groups[t];
    if (group == id) outcomes.push_back(row.outcomes[t]);
  }
  return outcomes;
}

/// Groups that only test examples are in: nothing to compare with, so every label is in their sets.
void add_unknown_groups(const ScoreBundle& bundle, const EvaluateOptions& options,
                        MethodResult& row) {
  if (options.grouping.kind() != Grouping::Kind::by_input) return;
  for (const GroupId id : std::set(bundle.test_groups.begin(), bundle.test_groups.end())) {
    if (std::ranges::find(row.groups, id, &GroupResult::id) != row.groups.end()) continue;
    GroupResult group;
    group.id = id;
    group.rank = conformal_rank(0, row.alpha);
    group.feasible = row.feasible = false;
    row.groups.push_back(group);
  }
}

void summarize(const ScoreBundle& bundle, const EvaluateOptions& options, MethodResult& row) {
  add_unknown_groups(bundle, options, row);
  row.evaluation = evaluate(row.outcomes, row.method == Method::scos);
  for (GroupResult& group : row.groups) {
    const auto outcomes = outcomes_of_group(bundle, options, row, group.id);
    group.num_test = outcomes.size();
    if (!outcomes.empty()) group.evaluation = evaluate(outcomes, false);
  }
}

/// Families come in their own order; results are in the order in which methods were asked for.
void sort_as_asked(std::vector<MethodResult>& rows, const std::vector<Method>& methods) {
  std::ranges::stable_sort(rows, {}, [&](const MethodResult& row) {
    return std::ranges::find(methods, row.method) - methods.begin();
  });
}

}  // namespace

std::vector<MethodResult> evaluate(const ScoreBundle& bundle, const EvaluateOptions& options) {
  check_bundle(bundle, options);
  const std::size_t num_test = bundle.test.num_inputs();
  const Families families = make_families(bundle, options);
  std::vector<MethodResult> rows = all_rows(families, num_test);
  Progress progress(options, num_test);
  parallel_for(num_test, 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      measure_one(families, test_input(bundle, t), t, bundle.test_labels[t], rows);
    }
    progress.advance(last - first);
  });
  for (MethodResult& row : rows) summarize(bundle, options, row);
  sort_as_asked(rows, options.methods);
  return rows;
}

}  // namespace caos
