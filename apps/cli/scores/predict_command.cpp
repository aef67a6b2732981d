#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "apps/cli/label_sets/set_output.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/artifact.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/predict.hpp"
#include "caos/text/text_model.hpp"

namespace caos::cli {
namespace {

struct PredictCommandOptions {
  CommonOptions common;
  std::string model;
  std::string test;
  std::string test_groups;
  ReverseOptions reverse;
  std::string alpha = default_alpha;
  std::string method = "caos";
  bool clip_rank = false;
  bool smoothed = false;
  ConditionalOptions conditional;
  std::string reference_indices;
  std::uint64_t seed = default_halving_seed;
  const Option* seed_option = nullptr;
  std::size_t threads = 0;
  std::string out = "-";
};

std::vector<std::string> files_of(const PredictCommandOptions& options) {
  return {options.model, options.test, options.reverse.reverse, options.test_groups,
          options.reference_indices};
}

/// Everything that can be found wrong before a file is opened.
PredictOptions checked(const PredictCommandOptions& options) {
  PredictOptions what{.alphas = {Miscoverage::parse(options.alpha)}};
  what.method = parse_method(options.method);
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  if (options.smoothed) what.smoothing_seed = options.seed;
  check(options.conditional, {what.method});
  what.conditional = conditional_of(options.conditional, 0);  // the pool waits for the model
  check_predicts(what);
  require(what.method != Method::full_caos || options.reverse.given(), ErrorKind::invalid_input,
          no_reverse);
  require(what.method == Method::split_caos || options.reference_indices.empty(),
          ErrorKind::invalid_input, "--reference-indices is for split-caos");
  require(
      what.method == Method::split_caos || options.smoothed || options.seed_option->count() == 0,
      ErrorKind::invalid_input, "--seed is for --smoothed and split-caos");
  check_standard_input(files_of(options));
  if (options.out != "-") check_outputs({options.out}, files_of(options));
  return what;
}

// What fits together.

/// Models of landmarks, texts and vectors have the same extension, and commands of their own.
io::Artifact open_model(const std::string& path) {
  io::SafetensorsFile file = io::SafetensorsFile::open(path);
  require(io::model_kind(file.metadata()) != io::ModelKind::landmarks, ErrorKind::bad_format, [&] {
    return fmt::format("{}: is a landmark model; 'caos landmarks predict' uses it", file.name());
  });
  require(io::model_kind(file.metadata()) != io::ModelKind::text, ErrorKind::bad_format, [&] {
    return fmt::format("{}: is a text model; 'caos text predict' uses it", file.name());
  });
  require(io::model_kind(file.metadata()) != io::ModelKind::classification, ErrorKind::bad_format,
          [&] {
            return fmt::format("{}: is a classification model; 'caos classify predict' uses it",
                               file.name());
          });
  return io::Artifact(std::move(file));
}

void check_groups(const PredictCommandOptions& options, const io::Artifact& model) {
  const bool needed = model.calibration().grouping().kind() == Grouping::Kind::by_input;
  require(needed == !options.test_groups.empty(), ErrorKind::invalid_input, [&] {
    return needed
               ? fmt::format("{} has groups of inputs; give --test-groups", model.name())
               : fmt::format("{} has no groups of inputs; leave out --test-groups", model.name());
  });
}

void check_shape(const TestInputs& inputs, const io::Artifact& model) {
  const ScoreTensor& test = inputs.test;
  require(test.num_references() == model.calibration().size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} references; {} was calibrated with {}", test.name,
                       test.num_references(), model.name(), model.calibration().size());
  });
  require(model.num_labels() == 0 || model.num_labels() == test.num_labels,
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: has {} labels per input; {} was calibrated with {}", test.name,
                               test.num_labels, model.name(), model.num_labels());
          });
  inputs.check_shapes(model.calibration().size(), model.calibration().grouping().kind());
}

/// Looks at every score before the first line is printed: nothing half-written.
void check_scores(const TestInputs& inputs, std::size_t threads) {
  parallel_for(inputs.size(), 16, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) inputs.check_scores(t);
  });
}

/// A calibration of all examples, or of some under the others.
class Predictor {
 public:
  Predictor(const io::Artifact& model, const PredictCommandOptions& options, PredictOptions what)
      : model_(model), what_(std::move(what)) {
    const std::size_t n = model.calibration().size();
    what_.conditional = conditional_of(options.conditional, n);
    if (what_.method != Method::split_caos) return;
    require(!what_.conditional || model.calibration().grouping().kind() == Grouping::Kind::none,
            ErrorKind::invalid_input,
            "a confidence has no form with groups; leave one of them out");
    split_ = split::calibrate_split(model.own_scores(), model.calibration().grouping(),
                                    partition_of(options.reference_indices, options.seed, n),
                                    what_.method, model.calibration().k());
  }

  [[nodiscard]] const Calibration& calibration() const {
    return split_ ? split_->calibration : model_.calibration();
  }
  [[nodiscard]] const PredictOptions& what() const { return what_; }
  [[nodiscard]] const Miscoverage& alpha() const { return what_.alphas[0]; }
  [[nodiscard]] Guarantee guarantee() const { return guarantee_of(calibration(), what_, alpha()); }
  [[nodiscard]] std::string assumption() const { return assumption_of(guarantee()); }
  [[nodiscard]] Prediction predict(const TestInput& input, std::size_t index) const {
    return split_ ? caos::predict(*split_, input, index, what_)
                  : caos::predict(model_.calibration(), input, index, what_);
  }

 private:
  const io::Artifact& model_;
  PredictOptions what_;
  std::optional<split::SplitCaos> split_;
};

// What is said.

void warn_of(const PredictCommandOptions& options, const std::optional<std::string>& warning) {
  if (warning) warn(options.common, *warning);
}

Json p_values_json(const Prediction& prediction) {
  Json values = Json::array();
  for (const std::optional<double>& p : prediction.p_values) values.push_back(json_number(p));
  return values;
}

/// All that `predict --json` says besides the sets.
Json header(const Predictor& predictor, bool feasible) {
  const Calibration& calibration = predictor.calibration();
  const PredictOptions& what = predictor.what();
  const Miscoverage& alpha = predictor.alpha();
  const bool grouped = calibration.grouping().kind() != Grouping::Kind::none;
  const bool one_threshold = !grouped && what.method != Method::full_caos && !what.smoothing_seed;
  const std::size_t n = calibration.size();
  const std::size_t rank =
      what.conditional ? deciding_rank(n, alpha, what) : conformal_rank(n, alpha);
  const Json threshold =
      one_threshold
          ? json_number(score_at_rank(calibration.group(0), deciding_rank(n, alpha, what)))
          : Json(nullptr);
  return {{"alpha", alpha.value()},
          {"method", method_name(what.method)},
          {"guarantee", predictor.guarantee().text()},
          {"assumption", predictor.assumption()},
          {"smoothed", what.smoothing_seed.has_value()},
          {"rank", grouped ? Json(nullptr) : Json(rank)},
          {"threshold", threshold},
          {"feasible", feasible}};
}

/// Calls `use` with each prediction as JSON, in order; a block of inputs is predicted in parallel.
template <typename Use>
void for_each_prediction(const Predictor& predictor, const TestInputs& inputs, std::size_t threads,
                         Use use) {
  constexpr std::size_t values_at_once = 100'000;  // bounds memory whatever the number of labels
  const std::size_t block =
      std::clamp<std::size_t>(values_at_once / inputs.test.num_labels, 1, 1024);
  std::vector<Json> predictions(std::min(block, inputs.size()));
  for (std::size_t start = 0; start < inputs.size(); start += block) {
    const std::size_t count = std::min(block, inputs.size() - start);
    parallel_for(count, 16, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Prediction one = predictor.predict(inputs[start + i], start + i);
        predictions[i] = {
            {"input", start + i}, {"set", one.sets[0]}, {"p_values", p_values_json(one)}};
      }
    });
    for (std::size_t i = 0; i < count; ++i) use(predictions[i]);
  }
}

Json json_of(const Predictor& predictor, const TestInputs& inputs, std::size_t threads) {
  const Calibration& calibration = predictor.calibration();
  const bool feasible = is_feasible(calibration, predictor.what(), predictor.alpha()) &&
                        inputs.unknown_groups(calibration.grouping()).empty();
  Json json = header(predictor, feasible);
  json["sets"] = Json::array();
  json["p_values"] = Json::array();
  for_each_prediction(predictor, inputs, threads, [&](Json& prediction) {
    json["sets"].push_back(std::move(prediction["set"]));
    json["p_values"].push_back(std::move(prediction["p_values"]));
  });
  return json;
}

/// One JSON object, or one line for each input.
void write_predictions(const PredictCommandOptions& options, const Predictor& predictor,
                       const TestInputs& inputs) {
  write_rows(options.out, [&](const PutText& put) {
    if (options.common.json) return put(json_of(predictor, inputs, options.threads).dump() + "\n");
    for_each_prediction(predictor, inputs, options.threads,
                        [&](const Json& prediction) { put(prediction.dump() + "\n"); });
  });
}

void run(const PredictCommandOptions& options) {
  const PredictOptions what = checked(options);
  Manifest manifest(options.common, {.inputs = files_of(options), .outputs = {options.out}});
  const io::Artifact model = open_model(options.model);
  check_groups(options, model);
  const TestFiles test(options.test, options.reverse, options.test_groups);
  const TestInputs& inputs = test.inputs();
  check_shape(inputs, model);
  check_scores(inputs, options.threads);
  const Predictor predictor(model, options, what);
  const Calibration& calibration = predictor.calibration();
  const std::string guarantee = predictor.guarantee().text();

  warn_of(options, feasibility_warning(calibration, predictor.what(), predictor.alpha()));
  warn_of(options, unknown_group_warning(inputs.unknown_groups(calibration.grouping()), what));
  if (!options.common.json) {
    note(options.common, fmt::format("guarantee: {}, if {}", guarantee, predictor.assumption()));
  }
  write_predictions(options, predictor, inputs);
  test.require_unchanged();  // lines that are printed already count only if this program succeeds
  manifest.set_guarantee(guarantee);
  manifest.write();
}

void add_input_options(Command& command, PredictCommandOptions& options) {
  add_path(command, "model", options.model, "A calibration written by 'caos calibrate'")
      ->required()
      ->type_name("");
  add_path(command, "--test", options.test, "Scores of the new inputs, .npy [m, K, n]")->required();
  add_reverse_options(command, options.reverse);
  add_path(command, "--test-groups", options.test_groups,
           "The groups of the inputs, if the calibration has groups, .npy or .csv [m]");
}

void add_method_options(Command& command, PredictCommandOptions& options) {
  add_alpha(command, options.alpha);
  command
      .add_option("--method", options.method,
                  "caos, full-caos for smaller sets, or split-caos, which calibrates on half "
                  "of the examples")
      ->offers({"caos", "full-caos", "split-caos"})
      ->type_name("NAME")
      ->capture_default_str();
  Option* smoothed =
      command.add_flag("--smoothed", options.smoothed,
                       "Use smoothed p-values, which break ties at random with --seed");
  options.seed_option =
      add_whole_number(command, "--seed", options.seed,
                       "Seed of the smoothing, or of the random halving for split-caos", 0);
  add_path(command, "--reference-indices", options.reference_indices,
           "Which labeled examples are references in split-caos, .npy or .csv");
  add_clip_rank(command, options.clip_rank)->excludes(smoothed);
  add_conditional_options(command, options.conditional);
}

}  // namespace

void add_predict(Command& app) {
  Command& command =
      app.add_subcommand("predict", "Sets and p-values for new inputs, at one alpha");
  const auto options = std::make_shared<PredictCommandOptions>();
  add_input_options(command, *options);
  add_method_options(command, *options);
  add_output(
      command, options->out,
      "Where to write the sets, JSON Lines or with --json one object; '-' is standard output")
      ->default_str("-");
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos generate -o example' and the example of 'caos calibrate --help'):\n"
      "  caos predict example/model.caos --test example/test.npy --alpha 0.1");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
