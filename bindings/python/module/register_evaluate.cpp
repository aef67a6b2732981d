#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/labeled_arrays.hpp"
#include "bindings/python/arguments/method_argument.hpp"
#include "bindings/python/arguments/new_inputs.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/partition_argument.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/progress.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/evaluation/evaluation_tables.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* evaluate_text =
    R"(Coverage and set sizes of every method on test examples whose labels are known.

There are n labeled examples, K labels and m test examples.

labeled: scores of the labeled examples under each other, smaller is better; either
    [n, K, n], entry (i, y, j) the score of label y for example i under reference j, with labels; or
    [n, n], entry (i, j) the score of example i's own label under reference j.
labels: the label of each labeled example, from 0; may be None for [n, n].
test: scores of the test examples, [m, K, n]: entry (t, y, j) is the score of label y for example t
    under labeled example j.
test_labels: the label of each test example.
alpha: the accepted miscoverage, one or several.
methods: names among 'caos', 'full-caos', 'scos', 'scos-best', 'scos-oracle', 'split-caos',
    'split-caos-cal' and 'split-caos-ref'. None means all that the inputs allow: full-caos needs
    reverse or symmetric, scos-best needs labeled [n, K, n], the scos have no form with groups, and
    the split-caos need references enough for k.
k: how many of the smallest scores a CAOS score adds, from 1 to n - 1. Fix it before seeing results.
groups: None; 'labels' for a guarantee within each label; or n whole numbers, for one within each
    group of inputs.
test_groups: the group of each test example, where groups are given as numbers.
reverse: [m, K, n], for full-caos: entry (t, y, i) is the score of labeled example i's own label
    under the reference (test example t, label y).
symmetric: the scores do not change if reference and input are exchanged, so test serves as reverse.
reference_indices: which labeled examples are references in the split methods. None means a random
    half.
seed: draws that half.
clip_rank: where there are too few examples for alpha, use the largest score as the paper does;
    voids the guarantee.
confidence: split-caos covers at least 1 - alpha with this confidence for this calibration (PAC),
    not only on average over calibrations.
pool_size: with confidence: how many examples the labeled ones were drawn from at random, including
    them. None means independent draws from a population.
threads: 0 means one per core; results do not depend on it.
progress: called now and then with (done, total), the number of test examples, and at the end.

Returns an Evaluation: a sequence of MethodResult, in the order of methods and then of alphas. Warns
of alphas that are infeasible with so few examples. Ctrl-C ends the work.)";

/// As a user gives them.
struct Arguments {
  std::size_t k = 0;
  std::uint64_t seed = 0;
  RankRule rule = RankRule::every_label;
  py::object confidence{};
  std::optional<std::int64_t> pool_size{};
  std::size_t threads = 0;
  py::object methods{};
  py::object groups{};
  py::object reference_indices{};
};

/// The methods that were asked for, or else all that the inputs allow.
std::vector<Method> choose_methods(const Arguments& arguments, const AvailableInputs& available,
                                   const split::Partition& partition) {
  if (!arguments.methods.is_none()) return methods_of(arguments.methods);
  PossibleMethods possible = possible_methods(available, partition, arguments.k);
  for (const std::string& sentence : possible.left_out) warn(sentence);
  return std::move(possible.methods);
}

void check_groups(const py::object& groups, const py::object& test_groups) {
  const bool by_input = !groups.is_none() && !py::isinstance<py::str>(groups);
  require(!by_input || !test_groups.is_none(), ErrorKind::invalid_input,
          "groups needs test_groups, the group of each test example");
  require(by_input || test_groups.is_none(), ErrorKind::invalid_input,
          "test_groups needs groups, the group of each labeled example");
}

/// The arrays together; they look into `labeled` and `test`.
ScoreBundle bundle_of(const LabeledArrays& labeled, const NewInputs& test,
                      std::vector<Label> test_labels) {
  const py::gil_scoped_release released;
  return {.own = labeled.own(),
          .inputs = test.inputs(),
          .test_labels = std::move(test_labels),
          .labeled = labeled.tensor()};
}

void check_labels_of(const LabeledArrays& labeled, const ScoreTensor& test) {
  if (labeled.tensor()) check_num_labels(test, *labeled.tensor());
  if (labeled.labels().empty()) return;
  check_labels(labeled.labels(), labeled.size(), test.num_labels, "labels");
}

EvaluateOptions options_of(const LabeledArrays& labeled, const TestInputs& inputs,
                           const Alphas& alphas, const Arguments& arguments) {
  check_k(arguments.k, labeled.size());
  split::Partition partition =
      partition_of(arguments.reference_indices, labeled.size(), arguments.seed);
  const AvailableInputs available{.labeled = labeled.tensor().has_value(),
                                  .reverse = inputs.has_reverse(),
                                  .groups = !arguments.groups.is_none()};
  return {.methods = choose_methods(arguments, available, partition),
          .alphas = alphas.distinct(),
          .k = arguments.k,
          .grouping = labeled.grouping(arguments.groups, inputs.test.num_labels),
          .partition = std::move(partition),
          .rule = arguments.rule,
          .conditional = conditional_of(arguments.confidence, arguments.pool_size, labeled.size()),
          .threads = arguments.threads};
}

void warn_of(const TestInputs& inputs, const EvaluateOptions& options,
             const std::vector<MethodResult>& results) {
  const auto unknown = unknown_group_warning(inputs.unknown_groups(options.grouping));
  if (unknown) warn(*unknown);
  for (const std::string& text : infeasibility_warnings(results, options.partition, options.rule)) {
    warn(text);
  }
}

std::vector<MethodResult> evaluate_with_progress(const ScoreBundle& bundle, EvaluateOptions options,
                                                 const py::object& callable) {
  Progress progress(callable);
  options.progress = progress.reporter();
  std::vector<MethodResult> results;
  {
    const py::gil_scoped_release released;
    results = evaluate(bundle, options);
  }
  progress.finish(bundle.inputs.size());
  return results;
}

EvaluationReport evaluate_arrays(const LabeledArrays& labeled, const NewInputs& test,
                                 const py::object& test_labels, const Alphas& alphas,
                                 const Arguments& arguments, const py::object& progress) {
  const TestInputs& inputs = test.inputs();
  check_labels_of(labeled, inputs.test);
  require(inputs.size() > 0, ErrorKind::invalid_input, "test: holds no test examples");
  std::vector<Label> truths =
      labels_of(test_labels, inputs.size(), inputs.test.num_labels, "test_labels");
  const ScoreBundle bundle = bundle_of(labeled, test, std::move(truths));
  const EvaluateOptions options = options_of(labeled, inputs, alphas, arguments);
  EvaluationReport report{.n = labeled.size(),
                          .num_labels = inputs.test.num_labels,
                          .num_test = inputs.size(),
                          .k = options.k,
                          .results = evaluate_with_progress(bundle, options, progress)};
  warn_of(inputs, options, report.results);
  return report;
}

}  // namespace

void register_evaluate(py::module_& module) {
  const EvaluateOptions defaults{
      .methods = {}, .alphas = {}, .grouping = Grouping::none(0), .partition = {}};
  module.def(
      "evaluate",
      [](const py::object& labeled, const py::object& labels, const py::object& test,
         const py::object& test_labels, const py::object& alpha, const py::object& methods,
         std::int64_t k, const py::object& groups, const py::object& test_groups,
         const py::object& reverse, bool symmetric, const py::object& reference_indices,
         std::int64_t seed, bool clip_rank, const py::object& confidence,
         std::optional<std::int64_t> pool_size, std::int64_t threads, const py::object& progress) {
        const Alphas alphas(alpha);
        check_groups(groups, test_groups);
        const Arguments arguments{.k = count_of(k, "k"),
                                  .seed = count_of(seed, "seed"),
                                  .rule = rank_rule(clip_rank),
                                  .confidence = confidence,
                                  .pool_size = pool_size,
                                  .threads = count_of(threads, "threads"),
                                  .methods = methods,
                                  .groups = groups,
                                  .reference_indices = reference_indices};
        const LabeledArrays labeled_arrays(labeled, labels);
        const NewInputs inputs(test, reverse, symmetric, test_groups, "test_groups");
        return evaluate_arrays(labeled_arrays, inputs, test_labels, alphas, arguments, progress);
      },
      py::arg("labeled"), py::arg("labels"), py::arg("test"), py::arg("test_labels"), py::kw_only(),
      py::arg("alpha") = usual_alphas(), py::arg("methods") = py::none(), py::arg("k") = defaults.k,
      py::arg("groups") = py::none(), py::arg("test_groups") = py::none(),
      py::arg("reverse") = py::none(), py::arg("symmetric") = TestInputs{}.symmetric,
      py::arg("reference_indices") = py::none(), py::arg("seed") = default_halving_seed,
      py::arg("clip_rank") = defaults.rule == RankRule::clip, py::arg("confidence") = py::none(),
      py::arg("pool_size") = py::none(), py::arg("threads") = defaults.threads,
      py::arg("progress") = py::none(), evaluate_text);
}

}  // namespace caos::python
