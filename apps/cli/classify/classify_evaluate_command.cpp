#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "apps/cli/classify/vector_inputs.hpp"
#include "apps/cli/classify/vector_method_options.hpp"
#include "apps/cli/classify/vector_parameters.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "apps/cli/scores/evaluation_files.hpp"
#include "apps/cli/scores/evaluation_output.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/classification/vector_warnings.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"
#include "caos/text/text_evaluation.hpp"

namespace caos::cli {
namespace {

struct ClassifyEvaluateOptions {
  CommonOptions common;
  TrainVectorOptions train;
  TestVectorOptions test;
  std::size_t test_size = 0;  ///< 0: not given
  VectorMethodOptions how;
  std::vector<std::string> alphas = {default_alpha};
  std::vector<std::string> methods = {"full-ratio", "full-kernel"};
  std::string reference_indices;
  std::uint64_t seed = default_halving_seed;
  bool clip_rank = false;
  ConditionalOptions conditional;
  EvaluationFiles files;
};

/// What `classify evaluate` found.
struct ClassifyEvaluation {
  EvaluationReport evaluation{};
  std::vector<VectorClassifierOptions> methods{};  ///< how each of them predicts
  bool with_label_vectors = false;
  classification::LabelList list{};
  std::size_t num_unlisted = 0;  ///< test examples whose label is not in the list: always missed
};

// What is asked for.

std::vector<Method> methods_of(const ClassifyEvaluateOptions& options) {
  if (options.methods != std::vector<std::string>{"all"}) {
    return parse_vector_methods(options.methods);
  }
  std::vector<Method> methods = classification::vector_methods();
  if (!options.train.groups.empty()) std::erase_if(methods, is_scos);
  return methods;
}

std::vector<std::string> offered_methods() {
  std::vector<std::string> names = vector_method_names();
  names.emplace_back("all");
  return names;
}

bool uses_arrays(const std::vector<Method>& methods) {
  return std::ranges::any_of(methods, [](Method m) { return !is_full_conformal_of_vectors(m); });
}

std::vector<std::string> inputs_of(const ClassifyEvaluateOptions& options) {
  std::vector<std::string> files = files_of(options.train);
  files.insert(files.end(), {options.test.test, options.test.labels, options.test.groups,
                             options.reference_indices});
  return files;
}

void check_groups(const ClassifyEvaluateOptions& options, const std::vector<Method>& methods) {
  const bool by_file = !options.train.groups.empty() && options.train.groups != "labels";
  require(!by_file || options.test.test.empty() || !options.test.groups.empty(),
          ErrorKind::invalid_input,
          "--groups FILE needs --test-groups, the group of each test vector");
  require(by_file || options.test.groups.empty(), ErrorKind::invalid_input,
          "--test-groups needs --groups FILE, the group of each labeled vector");
  for (const Method method : methods) {
    require(options.train.groups.empty() || !is_scos(method), ErrorKind::invalid_input, [&] {
      return fmt::format("{} has no form with groups; leave it out of --methods",
                         method_name(method));
    });
  }
}

/// Everything that can be found wrong before a file is opened.
void check(const ClassifyEvaluateOptions& options) {
  const std::vector<Method> methods = methods_of(options);
  static_cast<void>(parse_alphas(options.alphas));
  check(options.train);
  check(options.how);
  require(options.test.test.empty() != (options.test_size == 0), ErrorKind::invalid_input,
          "give test vectors as either --test FILE or --test-size N, to set some of --train aside");
  require(
      !options.test.test.empty() || (options.test.labels.empty() && options.test.groups.empty()),
      ErrorKind::invalid_input, "--test-labels and --test-groups go with --test");
  if (!options.conditional.confidence.empty()) check(options.conditional, methods);
  check_groups(options, methods);
  check_standard_input(inputs_of(options));
  check_outputs({options.files.per_example, options.files.report}, inputs_of(options));
}

// What is found in the files.

/// Labeled and test examples, and who is a reference in the split methods.
struct EvaluationData {
  VectorExamples labeled{};
  VectorExamples test{};
  split::Partition partition{};
};

EvaluationData read_data(const ClassifyEvaluateOptions& options) {
  EvaluationData data{.labeled = read_examples(options.train)};
  if (options.test_size == 0) {
    data.test = read_test_examples(options.test, options.train, data.labeled);
  } else {
    const std::size_t count = data.labeled.size();
    require(options.test_size + 2 <= count, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: has {} vectors; --test-size {} leaves fewer than two to predict with",
                         data.labeled.table.name, count, options.test_size);
    });
    const TextSplit split = draw_text_split(count, options.test_size, options.seed);
    const VectorExamples all = std::move(data.labeled);
    data.labeled = examples_at(all, split.labeled);
    data.test = examples_at(all, split.test);
  }
  require(data.labeled.size() >= 2, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has one labeled vector; at least two are needed",
                       data.labeled.table.name);
  });
  data.partition = partition_of(options.reference_indices, options.seed, data.labeled.size());
  return data;
}

/// Every method on the same data, as its options say.
std::vector<MethodResult> results_of(const ClassifyEvaluateOptions& options,
                                     const EvaluationData& data, const LabeledVectors& labeled,
                                     const classification::TestVectors& test) {
  ProgressBar bar(options.common, "evaluating");
  classification::VectorEvaluateOptions what{
      .methods = methods_of(options),
      .alphas = parse_alphas(options.alphas),
      .classifier = classifier_options(options.how, Method::full_ratio),
      .grouping = grouping_of(options.train, labeled, data.labeled.groups),
      .partition = data.partition};
  if (options.how.k > 0) what.k = options.how.k;
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.conditional = conditional_of(options.conditional, labeled.labels.size());
  what.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  if (what.grouping.kind() == Grouping::Kind::by_input) {
    const auto unknown = classification::unknown_groups(what.grouping, test.groups);
    if (const auto text = unknown_group_warning(unknown)) warn(options.common, *text);
  }
  return classification::evaluate_vectors(labeled, test, what);
}

ClassifyEvaluation evaluate_data(const ClassifyEvaluateOptions& options,
                                 const EvaluationData& data) {
  const LabelSource source = read_label_source(options.common, options.train, data.labeled.labels);
  const LabeledVectors labeled = labeled_vectors(data.labeled, source);
  const classification::TestVectors test{
      .vectors = data.test.table.vectors,
      .labels = classification::numbers_of(data.test.labels, source.list, true),
      .groups = data.test.groups,
      .name = data.test.table.name};
  ClassifyEvaluation output{.with_label_vectors = labeled.label_vectors.rows() > 0,
                            .list = source.list};
  for (const Method method : methods_of(options)) {
    output.methods.push_back(classifier_options(options.how, method));
  }
  output.num_unlisted = static_cast<std::size_t>(std::ranges::count(test.labels, unlisted_label));
  const bool arrays = uses_arrays(methods_of(options));
  output.evaluation = {.n = labeled.labels.size(),
                       .num_labels = labeled.num_labels,
                       .num_test = test.labels.size(),
                       .k = !arrays             ? 0
                            : options.how.k > 0 ? options.how.k
                                                : classification::VectorEvaluateOptions{}.k,
                       .results = results_of(options, data, labeled, test)};
  if (options.train.groups == "labels") output.evaluation.label_names = source.list.names;
  for (MethodResult& result : output.evaluation.results) {
    result.guarantee.listed_labels_only = source.list.from_train;
  }
  return output;
}

// What is said.

Json to_json(const ClassifyEvaluation& output) {
  Json json = cli::to_json(output.evaluation);
  json["labels"] = output.list.names;
  json["labels_from"] = output.list.from_train ? "train" : "given";
  if (output.list.from_train) {
    json["risk"] = classification::listed_labels_risk;
    json["num_test_unlisted"] = output.num_unlisted;
  }
  json["label_vectors"] = output.with_label_vectors;
  json["standardize"] = output.methods[0].standardize ? Json("batch") : Json(nullptr);
  json["parameters"] = Json::object();
  for (const VectorClassifierOptions& how : output.methods) {
    json["parameters"][std::string(method_name(how.method))] =
        parameters_json(how, output.with_label_vectors);
  }
  return json;
}

std::string to_text(const ClassifyEvaluation& output) {
  std::string text;
  std::string last;
  for (const VectorClassifierOptions& how : output.methods) {
    const std::string parameters = parameters_text(how, output.with_label_vectors);
    if (parameters == last) continue;  // the paper's methods share those of the votes
    text += fmt::format("{}: {}\n", method_name(how.method), parameters);
    last = parameters;
  }
  if (output.methods[0].standardize) text += fmt::format("{}\n", standardized_batch);
  return text + text_of(output.evaluation);
}

void run(const ClassifyEvaluateOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = inputs_of(options),
                                     .outputs = {options.files.per_example, options.files.report}});
  const EvaluationData data = read_data(options);
  const ClassifyEvaluation output = evaluate_data(options, data);
  for (const std::string& text :
       infeasibility_warnings(output.evaluation.results, data.partition,
                              options.clip_rank ? RankRule::clip : RankRule::every_label)) {
    warn(options.common, text);
  }
  write_files(options.files, output.evaluation, data.test.labels.labels);
  print_result(options.common, output);
  manifest.set_guarantee(guarantees_of(output.evaluation.results));
  manifest.write();
}

// ClassifyEvaluateOptions.

void add_test_options(Command& command, ClassifyEvaluateOptions& options) {
  add_path(command, "--test", options.test.test,
           "Test vectors, as --train; of CSV the columns that --train has");
  add_path(command, "--test-labels", options.test.labels, "Their labels, as --labels");
  add_path(command, "--test-groups", options.test.groups, "Their groups, .npy or .csv [m]");
  add_whole_number(command, "--test-size", options.test_size,
                   "Instead of --test: number of random vectors of --train to hold out")
      ->default_str("");
}

void add_method_options(Command& command, ClassifyEvaluateOptions& options) {
  add_alphas(command, options.alphas);
  command
      .add_option("--methods", options.methods,
                  "Among full-ratio, full-kernel, and the paper's methods with the votes of single "
                  "vectors: caos, full-caos, scos, scos-best, scos-oracle, split-caos, "
                  "split-caos-cal, split-caos-ref; or all")
      ->offers(offered_methods())
      ->delimiter(',')
      ->type_name("NAME,...")
      ->default_str("full-ratio,full-kernel");
  add_vector_method_options(command, options.how);
  add_vector_groups_option(command, options.train);
  add_path(command, "--reference-indices", options.reference_indices,
           "Which labeled vectors are references in the split methods, .npy or .csv");
  add_whole_number(command, "--seed", options.seed,
                   "Seed of --test-size, and of the random halving for the split methods", 0);
  add_clip_rank(command, options.clip_rank);
  add_conditional_options(command, options.conditional);
}

}  // namespace

void add_classify_evaluate(Command& classify) {
  Command& command =
      classify.add_subcommand("evaluate", "Coverage and set sizes on held-out labeled vectors");
  const auto options = std::make_shared<ClassifyEvaluateOptions>();
  add_train_vector_options(command, options->train);
  add_test_options(command, *options);
  add_method_options(command, *options);
  add_evaluation_files(command, options->files);
  add_threads(command, options->how.threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (in a copy of the project):\n"
      "  caos classify evaluate --train examples/iris/iris.csv --test-size 40 --alpha 0.1");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
