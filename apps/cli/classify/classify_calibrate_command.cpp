#include <fmt/format.h>

#include <memory>

#include "apps/cli/classify/classification_model_output.hpp"
#include "apps/cli/classify/vector_inputs.hpp"
#include "apps/cli/classify/vector_method_options.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/classification/classification_model.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

struct ClassifyCalibrateOptions {
  CommonOptions common;
  TrainVectorOptions train;
  VectorMethodOptions how;
  std::string method = "full-ratio";
  std::string out;
};

Method method_of(const ClassifyCalibrateOptions& options) {
  const Method method = classification::parse_vector_method(options.method);
  require(is_full_conformal_of_vectors(method), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--method {}: a model predicts by full-ratio or full-kernel; 'caos classify evaluate' "
        "compares them with {}",
        options.method, options.method);
  });
  return method;
}

/// Everything that can be found wrong before a file is opened.
void check(const ClassifyCalibrateOptions& options) {
  check(options.train);
  check(options.how);
  const Method method = method_of(options);
  require(method == Method::full_kernel || options.train.label_embeddings.empty(),
          ErrorKind::invalid_input,
          "--label-embeddings is for full-kernel; full-ratio does not use them");
  check_standard_input(files_of(options.train));
  check_outputs({options.out}, files_of(options.train));
}

ClassificationModel calibrate_model(const ClassifyCalibrateOptions& options) {
  const VectorExamples examples = read_examples(options.train);
  const LabelSource source = read_label_source(options.common, options.train, examples.labels);
  LabeledVectors labeled = labeled_vectors(examples, source);
  Grouping grouping = grouping_of(options.train, labeled, examples.groups);
  return {VectorClassifier(std::move(labeled), std::move(grouping),
                           classifier_options(options.how, method_of(options))),
          source.list.names, source.list.from_train, examples.table.features};
}

void run(const ClassifyCalibrateOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = files_of(options.train), .outputs = {options.out}});
  const ClassificationModel model = calibrate_model(options);
  write_classification_model(options.out, model);
  print_result(options.common, ClassificationModelOutput{options.out, model});
  manifest.set_guarantee(guarantee_of_sets_to_come);
  manifest.write();
}

}  // namespace

void add_classify_calibrate(Command& classify) {
  Command& command =
      classify.add_subcommand("calibrate", "Calibrate labeled vectors once, for every alpha");
  const auto options = std::make_shared<ClassifyCalibrateOptions>();
  add_train_vector_options(command, options->train);
  command
      .add_option(
          "--method", options->method,
          "full-ratio: distances to the own class over those to all others; or full-kernel, "
          "for embeddings: every labeled vector votes for its label")
      ->offers({"full-ratio", "full-kernel"})
      ->capture_default_str()
      ->type_name("NAME");
  add_vector_method_options(command, options->how);
  add_vector_groups_option(command, options->train);
  add_output(command, options->out, "Where to write the model; it contains the vectors")
      ->required();
  add_threads(command, options->how.threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (in a copy of the project):\n"
      "  caos classify calibrate --train examples/iris/iris.csv -o iris.caos");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
