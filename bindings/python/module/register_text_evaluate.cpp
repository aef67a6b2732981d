#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/method_argument.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/text_setup.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"
#include "caos/predict.hpp"
#include "caos/text/text_evaluation.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* evaluate_text =
    R"(Coverage and set sizes on labeled texts that are put aside.

texts: the labeled texts.
labels: the label of each, a name.
model: which language model scores them, or a TextScorer, as in calibrate.
label_names: all labels that there are; None as in calibrate.
test_size: how many texts are put aside as test.
seed: draws the test texts, and the halves for the split methods. A list of seeds gives a list of
    evaluations, each of its own split; the texts are scored once.
methods: names among 'caos', 'full-caos', 'scos', 'scos-best', 'scos-oracle', 'split-caos',
    'split-caos-cal' and 'split-caos-ref'. None means caos and the three scos, with groups caos
    alone; full-caos costs further scoring.
alpha: the accepted miscoverage, one or several.
k: how many of the smallest scores a CAOS score adds. Fix it before seeing results.
groups: None; or 'labels' for a guarantee within each label.
clip_rank: where there are too few texts for alpha, use the largest score as the paper does; voids
    the guarantee.

Further arguments are as in TextScorer: prompt, store, normalization, context, chat, server_model,
key_variable, key_file, timeout_seconds, retries, concurrency, threads and progress.

Returns an Evaluation, as caos.evaluate does. Warns of alphas that are infeasible with so few
texts.)";

std::uint64_t seed_of(py::handle object) {
  require(PyIndex_Check(object.ptr()) != 0, ErrorKind::invalid_input,
          "seed: expected a whole number, or a list of them");
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  return count_of(number.cast<std::int64_t>(), "seed");
}

/// One seed, or several.
struct Seeds {
  std::vector<std::uint64_t> values{};
  bool single = false;

  explicit Seeds(const py::object& object) : single(!py::isinstance<py::iterable>(object)) {
    if (single) {
      values.push_back(seed_of(object));
      return;
    }
    for (const py::handle one : object) values.push_back(seed_of(one));
    require(!values.empty(), ErrorKind::invalid_input, "seed: is an empty list; give at least one");
  }
};

/// What is evaluated, in which splits.
struct Task {
  EvaluateOptions options;
  std::vector<TextSplit> splits{};
};

EvaluateOptions options_of(const py::object& methods, const py::object& alpha, std::int64_t k,
                           const py::object& groups, bool clip_rank, std::int64_t threads) {
  const bool grouped = is_by_label(groups);
  return {.methods = methods.is_none() ? default_text_methods(grouped) : methods_of(methods),
          .alphas = Alphas(alpha).distinct(),
          .k = count_of(k, "k"),
          .grouping = grouped ? Grouping::by_label({}, 0) : Grouping::none(0),
          .partition = {},
          .rule = clip_rank ? RankRule::clip : RankRule::every_label,
          .threads = count_of(threads, "threads")};
}

/// Draws the splits, and finds what can never work before texts are scored.
void draw_splits(const LabeledTexts& all, std::size_t test_size, const Seeds& seeds, Task& task) {
  const std::size_t count = all.examples.size();
  const EvaluateOptions& options = task.options;
  check_text_methods(options.methods, options.grouping.kind() != Grouping::Kind::none);
  for (const std::uint64_t seed : seeds.values) {
    TextSplit& split = task.splits.emplace_back(draw_text_split(count, test_size, seed));
    split.labels_from_labeled = all.labels_from_train;
    check_k(options.k, split.labeled.size());
    check_text_methods(options.methods, split.partition, options.k);
  }
}

std::vector<EvaluationReport> evaluate_all(const LabeledTexts& texts, const Task& task,
                                           TextSession& session) {
  const Matrix<Score> scores = session.score_labeled(texts.examples);
  const ScoreTensor tensor{
      .rows = scores.view(), .num_labels = texts.labels.size(), .name = "the model's scores"};
  std::vector<EvaluationReport> reports;
  for (const TextSplit& split : task.splits) {
    reports.push_back(
        evaluate_texts(texts, tensor, split, task.options, reverse_by(session, texts.examples)));
  }
  return reports;
}

/// Each warning once, however many splits it is about.
void warn_of(const Task& task, const std::vector<EvaluationReport>& reports) {
  std::vector<std::string> said;
  for (std::size_t s = 0; s < reports.size(); ++s) {
    for (const std::string& text :
         infeasibility_warnings(reports[s].results, task.splits[s].partition, task.options.rule)) {
      if (std::ranges::find(said, text) != said.end()) continue;
      warn(text);
      said.push_back(text);
    }
  }
}

py::object evaluate_given(const ScorerArguments& arguments, const py::object& texts,
                          const py::object& labels, const py::object& model,
                          const py::object& label_names, std::int64_t test_size,
                          const py::object& seed, const py::object& methods,
                          const py::object& alpha, std::int64_t k, const py::object& groups,
                          bool clip_rank) {
  const Seeds seeds(seed);
  Task task{.options =
                options_of(methods, alpha, k, groups, clip_rank, arguments.connection.threads)};
  const std::size_t num_test = count_of(test_size, "test_size");
  const TextSetup setup = set_up(
      arguments, {.texts = texts, .labels = labels, .label_names = label_names, .model = model},
      [&](const LabeledTexts& all) { draw_splits(all, num_test, seeds, task); });
  const std::size_t n = setup.texts.examples.size();
  std::vector<EvaluationReport> reports = setup.scorer.run(
      [&](TextSession& session) { return evaluate_all(setup.texts, task, session); }, n * (n - 1));
  warn_of(task, reports);
  if (seeds.single) return py::cast(std::move(reports[0]));
  return py::cast(std::move(reports));
}

}  // namespace

void register_text_evaluate(py::module_& module) {
  const std::string builtin = TextSessionOptions{}.model;
  std::apply(
      [&](const auto&... args) {
        public_function(
            module, "text_evaluate", "evaluate", "caos.text", taking_scorer(&evaluate_given),
            py::arg("texts"), py::arg("labels"), py::kw_only(), py::arg("model") = builtin,
            py::arg("label_names") = py::none(), py::arg("test_size") = default_test_size,
            py::arg("seed") = default_split_seed, py::arg("methods") = py::none(),
            py::arg("alpha") = usual_alphas(), py::arg("k") = CalibrationOptions{}.k,
            py::arg("groups") = py::none(),
            py::arg("clip_rank") = PredictOptions{}.rule == RankRule::clip, args..., evaluate_text);
      },
      scorer_args());
}

}  // namespace caos::python
