#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "apps/cli/classify/vector_prediction_output.hpp"
#include "apps/cli/label_sets/set_output.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/classification/classification_model.hpp"
#include "caos/classification/label_list.hpp"
#include "caos/classification/reference_vectors.hpp"
#include "caos/classification/vector_table.hpp"
#include "caos/classification/vector_warnings.hpp"
#include "caos/error.hpp"
#include "caos/predict.hpp"

namespace caos::cli {
namespace {

struct ClassifyPredictOptions {
  CommonOptions common;
  std::string model;
  std::string vectors;
  std::string id_column;
  std::string groups;
  std::vector<std::string> alphas = {default_alpha};
  bool clip_rank = false;
  bool smoothed = false;
  std::uint64_t seed = 0;
  const Option* seed_option = nullptr;
  std::size_t threads = 0;
  std::string out = "-";
  std::string format;
};

std::vector<std::string> inputs_of(const ClassifyPredictOptions& options) {
  return {options.model, options.vectors, options.groups};
}

/// Everything that can be found wrong before a file is opened.
void check(const ClassifyPredictOptions& options) {
  static_cast<void>(parse_alphas(options.alphas));
  static_cast<void>(row_format_of(options.out, options.format));
  require(options.out != "-" || !options.common.json, ErrorKind::invalid_input,
          "--json is for the summary, and standard output has the sets; give --output FILE");
  require(options.smoothed || options.seed_option->count() == 0, ErrorKind::invalid_input,
          "--seed is for --smoothed");
  check_standard_input(inputs_of(options));
  if (options.out != "-") check_outputs({options.out}, inputs_of(options));
}

VectorPredictOptions predict_options(const ClassifyPredictOptions& options) {
  VectorPredictOptions what{.alphas = parse_alphas(options.alphas)};
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  if (options.smoothed) what.smoothing_seed = options.seed;
  what.threads = options.threads;
  return what;
}

/// The groups of the new vectors, if the model has such.
std::vector<GroupId> groups_of(const ClassifyPredictOptions& options,
                               const ClassificationModel& model, std::size_t count) {
  const bool needed = model.classifier.grouping().kind() == Grouping::Kind::by_input;
  require(needed == !options.groups.empty(), ErrorKind::invalid_input, [&] {
    return needed ? fmt::format("{} has groups of vectors; give --groups", options.model)
                  : fmt::format("{} has no groups of vectors; leave out --groups", options.model);
  });
  return needed ? read_groups(options.groups, count) : std::vector<GroupId>();
}

void warn_of(const ClassifyPredictOptions& options, const ClassificationModel& model,
             const VectorPredictOptions& what) {
  if (model.labels_from_train) warn(options.common, classification::listed_labels_risk);
  for (const Miscoverage& alpha : what.alphas) {
    const auto text = classification::feasibility_warning(model.classifier, what, alpha);
    if (text) warn(options.common, *text);
  }
  if (model.classifier.grouping().kind() != Grouping::Kind::by_input) return;
  const auto unknown = classification::unknown_groups(model.classifier.grouping(), what.groups);
  if (const auto text = unknown_group_warning(unknown, {})) warn(options.common, *text);
}

/// Looks at every vector before the first line is printed: nothing half-written.
void check_all(const ClassificationModel& model, const classification::VectorTable& table) {
  const VectorClassifierOptions& how = model.classifier.options();
  classification::check_vectors(table.vectors.view(), table.name,
                                model.classifier.labeled().vectors.cols());
  const bool by_angle = how.method == Method::full_kernel || how.distance == VectorDistance::cosine;
  if (!by_angle || how.standardize) return;
  static_cast<void>(classification::directions(table.vectors.view(), table.name));
}

/// Predicts block by block, or all at once where sets depend on the batch.
void put_rows(const ClassificationModel& model, const classification::VectorTable& table,
              const VectorPredictOptions& what, const VectorPredictionRows& rows,
              VectorPredictionSummary& summary, const PutText& put) {
  constexpr std::size_t values_at_once = 1'000'000;  // bounds memory, whatever K is
  const std::size_t count = table.vectors.rows();
  const std::size_t block =
      model.classifier.options().standardize
          ? std::max<std::size_t>(count, 1)
          : std::clamp<std::size_t>(values_at_once / model.label_names.size(), 64, 65536);
  put(rows.header());
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t size = std::min(block, count - first);
    VectorPredictOptions some = what;
    some.first_input = first;
    if (!what.groups.empty()) {
      const auto begin = what.groups.begin() + static_cast<std::ptrdiff_t>(first);
      some.groups.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    const auto predictions =
        model.classifier.predict(table.vectors.view().rows_from(first, size), some);
    for (std::size_t i = 0; i < size; ++i) {
      summary.add(predictions[i]);
      put(rows.rows(table.ids[first + i], predictions[i]));
    }
  }
}

Json guarantees_of(const ClassificationModel& model, const VectorPredictOptions& what) {
  Json list = Json::array();
  for (const Miscoverage& alpha : what.alphas) {
    list.push_back(
        {{"alpha", alpha.text()}, {"guarantee", guarantee_of(model, alpha, what.rule).text()}});
  }
  return list;
}

void run(const ClassifyPredictOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = inputs_of(options), .outputs = {options.out}});
  const ClassificationModel model = read_classification_model(options.model);
  const classification::VectorTable table = classification::read_vector_table(
      options.vectors, {.id = options.id_column, .features = model.features});
  VectorPredictOptions what = predict_options(options);
  what.name = table.name;
  what.groups = groups_of(options, model, table.vectors.rows());
  check_all(model, table);
  warn_of(options, model, what);

  VectorPredictionSummary summary(options.out, model, what);
  const VectorPredictionRows rows(model, what, row_format_of(options.out, options.format));
  write_rows(options.out,
             [&](const PutText& put) { put_rows(model, table, what, rows, summary, put); });
  print_summary(options.common, options.out, to_json(summary), to_text(summary));
  manifest.set_guarantee(guarantees_of(model, what));
  manifest.write();
}

void add_input_options(Command& command, ClassifyPredictOptions& options) {
  add_path(command, "model", options.model, "A model written by 'caos classify calibrate'")
      ->required()
      ->type_name("");
  add_path(command, "vectors", options.vectors,
           "New vectors: .npy [m, D], or CSV with the columns of the labeled ones; '-' is standard "
           "input")
      ->required()
      ->type_name("");
  command
      .add_option("--id-column", options.id_column,
                  "Column of CSV that names the vectors; by default their row, from 0")
      ->type_name("NAME");
  add_path(command, "--groups", options.groups,
           "The groups of the vectors, if the model has groups from a file, .npy or .csv [m]");
}

}  // namespace

void add_classify_predict(Command& classify) {
  Command& command = classify.add_subcommand("predict", "Label sets for new vectors");
  const auto options = std::make_shared<ClassifyPredictOptions>();
  add_input_options(command, *options);
  add_alphas(command, options->alphas);
  Option* smoothed =
      command.add_flag("--smoothed", options->smoothed,
                       "Use smoothed p-values, which break ties at random with --seed");
  options->seed_option =
      add_whole_number(command, "--seed", options->seed, "Seed of the smoothing", 0);
  add_clip_rank(command, options->clip_rank)->excludes(smoothed);
  add_set_outputs(command, options->out, options->format);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Each row has a vector's set at one alpha, the label that conforms best and the p-value of\n"
      "each label.\n\n"
      "Example (after the example of 'caos classify calibrate --help'):\n"
      "  caos classify predict iris.caos examples/iris/new.csv --alpha 0.1 -o sets.csv");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
