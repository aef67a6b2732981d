#include <algorithm>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/calibration_output.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/calibration.hpp"
#include "caos/io/artifact.hpp"

namespace caos::cli {
namespace {

struct CalibrateCommandOptions {
  CommonOptions common;
  LabeledOptions labeled;
  CalibrationOptions calibration;
  std::string out;
};

/// K as far as it is known: from the scores, or else from the largest label.
std::size_t known_num_labels(const LabeledExamples& examples) {
  if (examples.num_labels() > 0 || examples.labels().empty()) return examples.num_labels();
  return *std::ranges::max_element(examples.labels()) + 1;
}

void run(const CalibrateCommandOptions& options) {
  check(options.labeled);
  check_standard_input(files_of(options.labeled));
  check_outputs({options.out}, files_of(options.labeled));
  Manifest manifest(options.common,
                    {.inputs = files_of(options.labeled), .outputs = {options.out}});
  const LabeledExamples examples(options.labeled);
  const std::size_t num_labels = known_num_labels(examples);
  const Calibration calibration = calibrate(
      examples.own(), examples.grouping(options.labeled, num_labels), options.calibration);
  examples.require_unchanged();
  // Labels given beside --calibration bound the groups only: the scores may have more labels.
  io::write_artifact(options.out, calibration, examples.own(), examples.num_labels());
  CalibrationOutput output = describe(calibration, examples.num_labels());
  output.file = options.out;
  print_result(options.common, output);
  manifest.set_guarantee(guarantee_of_sets_to_come);
  manifest.write();
}

}  // namespace

void add_calibrate(Command& app) {
  Command& command =
      app.add_subcommand("calibrate", "Calibrate labeled examples once, for every alpha");
  const auto options = std::make_shared<CalibrateCommandOptions>();
  add_labeled_options(command, options->labeled);
  add_k(command, options->calibration.k);
  add_output(command, options->out, "Where to write the calibration")->required();
  add_threads(command, options->calibration.threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos generate -o example'):\n"
      "  caos calibrate --labeled example/labeled.npy --labels example/labels.npy -o "
      "example/model.caos");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
