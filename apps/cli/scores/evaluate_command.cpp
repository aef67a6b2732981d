#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "apps/cli/method_choice.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "apps/cli/scores/evaluation_files.hpp"
#include "apps/cli/scores/evaluation_output.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"

namespace caos::cli {
namespace {

struct EvaluateCommandOptions {
  CommonOptions common;
  LabeledOptions labeled;
  std::string test;
  std::string test_labels;
  std::string test_groups;
  ReverseOptions reverse;
  std::vector<std::string> alphas = {default_alpha};
  std::size_t k = CalibrationOptions{}.k;
  std::vector<std::string> methods;
  std::string reference_indices;
  std::uint64_t seed = default_halving_seed;
  bool clip_rank = false;
  ConditionalOptions conditional;
  std::size_t threads = 0;
  EvaluationFiles files;
};

// What is asked for.

AvailableInputs available(const EvaluateCommandOptions& options) {
  return {.labeled = !options.labeled.labeled.empty(),
          .reverse = options.reverse.given(),
          .groups = !options.labeled.groups.empty()};
}

std::string obstacle_text(Method method, Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::no_reverse:
      return no_reverse;
    case Obstacle::no_labeled:
      return "scos-best needs --labeled, the scores of every label of the labeled examples";
    case Obstacle::no_group_form:
      break;
  }
  return fmt::format("{} has no form with groups; leave it out of --methods", method_name(method));
}

std::optional<std::string> obstacle_text(const EvaluateCommandOptions& options, Method method) {
  const std::optional<Obstacle> obstacle = obstacle_to(method, available(options));
  return obstacle ? std::optional(obstacle_text(method, *obstacle)) : std::nullopt;
}

/// `halves` are those of the split methods, once the labeled examples are known.
MethodChoice chosen_methods(const EvaluateCommandOptions& options,
                            const split::Partition* halves = nullptr) {
  return choose_methods(options.methods, [&](Method method) -> std::optional<std::string> {
    if (halves != nullptr && is_split_caos(method) &&
        options.k > split::largest_k(*halves, method)) {
      return fmt::format("{} has too few references for k = {}", method_name(method), options.k);
    }
    return obstacle_text(options, method);
  });
}

std::vector<std::string> inputs_of(const EvaluateCommandOptions& options) {
  std::vector<std::string> files = files_of(options.labeled);
  files.insert(files.end(), {options.test, options.test_labels, options.test_groups,
                             options.reverse.reverse, options.reference_indices});
  return files;
}

/// Everything that can be found wrong before a file is opened.
void check(const EvaluateCommandOptions& options, const std::vector<Method>& methods) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::invalid_input, why); };
  check(options.labeled);
  check(options.conditional, methods);
  for (const Method method : methods) {
    const std::optional<std::string> obstacle = obstacle_text(options, method);
    if (obstacle) refuse(*obstacle);
  }
  const bool grouped_by_file =
      !options.labeled.groups.empty() && options.labeled.groups != "labels";
  if (grouped_by_file && options.test_groups.empty()) {
    refuse("--groups FILE needs --test-groups, the group of each test example");
  }
  if (!grouped_by_file && !options.test_groups.empty()) {
    refuse("--test-groups needs --groups FILE, the group of each labeled example");
  }
  check_standard_input(inputs_of(options));
  check_outputs({options.files.per_example, options.files.report}, inputs_of(options));
}

// What is found in the files.

void check_labels_of(const EvaluateCommandOptions& options, const LabeledExamples& labeled,
                     const ScoreTensor& test) {
  if (labeled.tensor()) check_num_labels(test, *labeled.tensor());
  if (options.labeled.labels.empty()) return;
  check_labels(labeled.labels(), labeled.size(), test.num_labels, options.labeled.labels);
}

/// The arrays together; they look into `labeled` and `test`.
ScoreBundle bundle_of(const EvaluateCommandOptions& options, const LabeledExamples& labeled,
                      const TestInputs& inputs) {
  const std::size_t num_labels = inputs.test.num_labels;
  check_labels_of(options, labeled, inputs.test);
  require(inputs.size() > 0, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: holds no test examples", options.test); });
  return {.own = labeled.own(),
          .inputs = inputs,
          .test_labels = read_labels(options.test_labels, inputs.size(), num_labels),
          .labeled = labeled.tensor()};
}

EvaluateOptions engine_options(const EvaluateCommandOptions& options,
                               const LabeledExamples& labeled, std::size_t num_labels) {
  const split::Partition halves =
      partition_of(options.reference_indices, options.seed, labeled.size());
  const MethodChoice choice = chosen_methods(options, &halves);
  for (const std::string& sentence : choice.left_out) note(options.common, sentence);
  EvaluateOptions what{.methods = choice.methods,
                       .alphas = parse_alphas(options.alphas),
                       .k = options.k,
                       .grouping = labeled.grouping(options.labeled, num_labels),
                       .partition = halves};
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.conditional = conditional_of(options.conditional, labeled.size());
  what.threads = options.threads;
  return what;
}

// What is said and written.

void warn_of(const EvaluateCommandOptions& options, const TestInputs& inputs,
             const EvaluateOptions& what, const std::vector<MethodResult>& results) {
  const auto unknown = unknown_group_warning(inputs.unknown_groups(what.grouping));
  if (unknown) warn(options.common, *unknown);
  for (const std::string& text : infeasibility_warnings(results, what.partition, what.rule)) {
    warn(options.common, text);
  }
}

std::vector<std::string> texts_of(const std::vector<Label>& labels) {
  std::vector<std::string> texts;
  for (const Label label : labels) texts.push_back(fmt::format("{}", label));
  return texts;
}

std::vector<MethodResult> evaluate_with_bar(const EvaluateCommandOptions& options,
                                            const ScoreBundle& bundle, EvaluateOptions what) {
  ProgressBar bar(options.common, "evaluating");
  what.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return evaluate(bundle, what);
}

void run(const EvaluateCommandOptions& options) {
  static_cast<void>(parse_alphas(options.alphas));
  check(options, chosen_methods(options).methods);
  Manifest manifest(options.common, {.inputs = inputs_of(options),
                                     .outputs = {options.files.per_example, options.files.report}});

  const LabeledExamples labeled(options.labeled);
  const TestFiles test(options.test, options.reverse, options.test_groups);
  const ScoreBundle bundle = bundle_of(options, labeled, test.inputs());
  const std::size_t num_labels = test.inputs().test.num_labels;
  const EvaluateOptions what = engine_options(options, labeled, num_labels);
  const EvaluationReport output{.n = labeled.size(),
                                .num_labels = num_labels,
                                .num_test = test.inputs().size(),
                                .k = options.k,
                                .results = evaluate_with_bar(options, bundle, what)};

  labeled.require_unchanged();
  test.require_unchanged();
  warn_of(options, test.inputs(), what, output.results);
  write_files(options.files, output, texts_of(bundle.test_labels));
  print_result(
      options.common, [&] { return to_json(output); }, [&] { return text_of(output); });
  manifest.set_guarantee(guarantees_of(output.results));
  manifest.write();
}

// EvaluateCommandOptions.

void add_test_options(Command& command, EvaluateCommandOptions& options) {
  add_path(command, "--test", options.test, "Scores of the test examples, .npy [m, K, n]")
      ->required();
  add_path(command, "--test-labels", options.test_labels, "Their true labels, .npy or .csv [m]")
      ->required();
  add_path(command, "--test-groups", options.test_groups, "Their groups, .npy or .csv [m]");
  add_reverse_options(command, options.reverse);
}

void add_method_options(Command& command, EvaluateCommandOptions& options) {
  add_alphas(command, options.alphas);
  add_k(command, options.k);
  add_methods(command, options.methods);
  Option* indices =
      add_path(command, "--reference-indices", options.reference_indices,
               "Which labeled examples are references in the split methods, .npy or .csv");
  add_whole_number(command, "--seed", options.seed,
                   "Seed of the random halving for the split methods", 0)
      ->excludes(indices);
  add_clip_rank(command, options.clip_rank);
  add_conditional_options(command, options.conditional);
}

}  // namespace

void add_evaluate(Command& app) {
  Command& command = app.add_subcommand("evaluate", "Coverage and set sizes of every method");
  const auto options = std::make_shared<EvaluateCommandOptions>();
  add_labeled_options(command, options->labeled);
  add_test_options(command, *options);
  add_method_options(command, *options);
  add_evaluation_files(command, options->files);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos generate -o example'):\n"
      "  caos evaluate --labeled example/labeled.npy --labels example/labels.npy \\\n"
      "    --test example/test.npy --test-labels example/test-labels.npy --symmetric");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
