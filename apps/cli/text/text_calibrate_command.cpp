#include <memory>
#include <utility>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_encoding.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_model_output.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/encoded/encoded_prediction.hpp"
#include "caos/text/text_calibration.hpp"

namespace caos::cli {
namespace {

struct TextCalibrateCommandOptions {
  CommonOptions common;
  TrainOptions train;
  ScoringOptions scoring;
  std::size_t k = CalibrationOptions{}.k;
  std::string out;
};

/// What `text calibrate` did: the model, and how its scores came about.
struct Calibrated {
  TextModelOutput model;
  ScoringReport scoring;
};

Json to_json(const Calibrated& calibrated) {
  Json json = to_json(calibrated.model);
  add_to(json, calibrated.scoring);
  return json;
}

std::string to_text(const Calibrated& calibrated) {
  return to_text(calibrated.model) + "\n" + to_text(calibrated.scoring);
}

/// Everything that can be found wrong before a file is opened.
void check(const TextCalibrateCommandOptions& options) {
  check(options.train);
  check(options.scoring, "");
  const std::vector<std::string> inputs = files_of(options.train, options.scoring);
  check_standard_input(inputs);
  check_outputs({options.out}, inputs);
}

TextCalibrateOptions calibrate_options(const TextCalibrateCommandOptions& options) {
  return {.k = options.k,
          .by_label = !options.train.groups.empty(),
          .threads = options.scoring.threads};
}

using ModelAndReport = std::pair<TextModel, ScoringReport>;

ModelAndReport calibrate_by_scores(const TextCalibrateCommandOptions& options,
                                   const LabeledTable& table) {
  TableScores scores(options.common, options.scoring, "", table);
  TextModel model =
      calibrate_texts(table, scores.tensor(), scores.record(), calibrate_options(options));
  return {std::move(model), scores.report()};
}

ModelAndReport calibrate_by_encoder(const TextCalibrateCommandOptions& options,
                                    const LabeledTable& table) {
  TextEncoding encoding(options.common, EncoderSession(encoder_options(options.scoring)));
  TextModel model = calibrate_embedded(embed_texts(table, encoding.session()),
                                       encoding.session().record(), calibrate_options(options));
  return {std::move(model), encoding.report()};
}

void run(const TextCalibrateCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = {options.train.train}, .outputs = {options.out}});
  const LabeledTable table = read_labeled_table(options.common, options.train);
  check_enough_texts(table.name, table.size(), options.k);
  const auto [model, report] = text::is_encoder(options.scoring.model)
                                   ? calibrate_by_encoder(options, table)
                                   : calibrate_by_scores(options, table);
  write_text_model(options.out, model);
  print_result(options.common, Calibrated{{options.out, model}, report});
  add_to(manifest, table, options.scoring, report);
  manifest.set_guarantee(guarantee_of_sets_to_come);
  manifest.write();
}

}  // namespace

void add_text_calibrate(Command& text) {
  Command& command =
      text.add_subcommand("calibrate", "Calibrate labeled texts once, for every alpha");
  const auto options = std::make_shared<TextCalibrateCommandOptions>();
  add_train_options(command, options->train);
  add_model_options(command, options->scoring, model_choices("[N, K, N]"));
  add_k(command, options->k);
  add_label_groups_option(command, options->train);
  add_output(command, options->out, "Where to write the model; it contains the texts")->required();
  add_store_option(command, options->scoring);
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "Example (in a copy of the project):\n"
      "  caos text calibrate --train examples/messages/messages.csv -o messages.caos");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
