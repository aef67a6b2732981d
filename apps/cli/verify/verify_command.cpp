#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/verify/verify_output.hpp"
#include "apps/cli/verify/verify_sources.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

// Headings of the help.
constexpr const char* array_group = "Scores as arrays";
constexpr const char* image_group = "Images";
constexpr const char* text_group = "Texts";
constexpr const char* vector_group = "Vectors";

void check_texts(const VerifyCommandOptions& options) {
  check(options.train);
  check(options.scoring, options.reverse.reverse);
  require(!options.reverse.symmetric, ErrorKind::invalid_input,
          "--symmetric goes with --labeled; scores of texts are not symmetric");
  check_reverse(options.scoring, options.reverse.reverse, asks_for_full(options));
}

std::vector<std::string> tables_of(const VerifyCommandOptions& options) {
  std::vector<std::string> files = files_of(options.train, options.scoring);
  files.insert(files.end(), {options.labeled, options.labels, options.reverse.reverse,
                             options.annotations.landmarks});
  std::ranges::copy(files_of(options.vectors), std::back_inserter(files));
  return files;
}

/// An option of a source that was not given would seem to be verified.
void check_sources(const VerifyCommandOptions& options) {
  const bool none =
      !has_arrays(options) && !has_images(options) && !has_texts(options) && !has_vectors(options);
  for (const Option* option : options.common.command->get_options()) {
    const std::string name = option->get_name();
    const bool has_own_rule = name == "--reverse" || name == "--symmetric";
    const bool is_of_synthetic_faces = none && name == "--score";
    if (option->count() == 0 || has_own_rule || is_of_synthetic_faces) continue;
    const auto check_group = [&](const char* group, bool given, const char* source) {
      require(given || option->get_group() != group, ErrorKind::invalid_input,
              [&] { return fmt::format("{} goes with {}", name, source); });
    };
    check_group(array_group, has_arrays(options), "--labeled and --labels");
    check_group(image_group, has_images(options), "--images and --landmarks");
    check_group(text_group, has_texts(options), "--train");
    check_group(vector_group, has_vectors(options), "--vectors");
  }
}

/// Everything that can be found wrong before a file is opened.
void check(const VerifyCommandOptions& options) {
  const int sources = int{has_arrays(options)} + int{has_images(options)} +
                      int{has_texts(options)} + int{has_vectors(options)};
  require(sources <= 1, ErrorKind::invalid_input,
          "give one of --labeled and --labels, --images and --landmarks, --train, or --vectors");
  require(!has_arrays(options) || (!options.labeled.empty() && !options.labels.empty()),
          ErrorKind::invalid_input, "--labeled and --labels go together");
  require(!has_images(options) ||
              (!options.annotations.images.empty() && !options.annotations.landmarks.empty()),
          ErrorKind::invalid_input, "--images and --landmarks go together");
  require(!options.reverse.given() || has_arrays(options) || has_texts(options),
          ErrorKind::invalid_input, "--reverse and --symmetric go with --labeled or --train");
  check_sources(options);
  if (has_arrays(options)) {
    require(!asks_for_full(options) || options.reverse.given(), ErrorKind::invalid_input,
            no_reverse);
  }
  if (has_texts(options)) check_texts(options);
  if (has_vectors(options)) {
    check(options.vectors, "--vector-labels");
    check(options.how);
  }
  check_standard_input(tables_of(options));
}

void run(const VerifyCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = tables_of(options)});
  const VerifyOutput output{.parts = verify_sources(options, manifest)};
  print_result(options.common, output);
  manifest.set_guarantee("none by itself; it tests whether the guarantees are observed");
  manifest.write();
  if (output.contradicts()) throw FailedCheck();
}

// VerifyCommandOptions.

/// Calls `add` and puts what it added under a heading of the help.
template <typename Add>
void add_group(Command& command, const std::string& heading, Add&& add) {
  const std::vector<Option*> before = command.get_options();
  add();
  for (Option* option : command.get_options()) {
    if (std::ranges::find(before, option) == before.end()) option->group(heading);
  }
}

void add_array_options(Command& command, VerifyCommandOptions& options) {
  add_path(command, "--labeled", options.labeled,
           "Scores of the labeled examples under each other, .npy [n, K, n]");
  add_path(command, "--labels", options.labels, "Their labels, .npy or .csv [n], counted from 0");
  Option* reverse =
      add_path(command, "--reverse", options.reverse.reverse,
               "For full-caos, .npy [n, K, n]: entry (t, y, i) is the score of example i's own "
               "label under the reference (x_t, y); also with --model scores:FILE");
  command
      .add_flag("--symmetric", options.reverse.symmetric,
                "The scores are symmetric: --reverse would equal --labeled")
      ->excludes(reverse);
}

void add_image_options(Command& command, VerifyCommandOptions& options) {
  add_annotation_options(command, options.annotations);
  add_score_option(command, options.score);
  add_embedding_options(command, options.embedding);
}

void add_text_options(Command& command, VerifyCommandOptions& options) {
  add_train_options(command, options.train);
  command.get_option("--train")->required(false);
  add_model_options(command, options.scoring, language_model_choices("[N, K, N]"));
  add_store_option(command, options.scoring);
  add_server_options(command, options.scoring);
}

void add_vector_options(Command& command, VerifyCommandOptions& options) {
  add_path(command, "--vectors", options.vectors.train,
           "Labeled vectors: .npy [n, D], or CSV with a header and a label column");
  add_path(command, "--vector-labels", options.vectors.labels,
           "Their labels, as --labels of 'caos classify evaluate'");
  command
      .add_option("--vector-label-column", options.vectors.label_column,
                  "Column of the labels in CSV, by default 'label'; all others are features")
      ->type_name("NAME");
  add_vector_id_column(command, "--vector-id-column", options.vectors);
  add_label_source_options(command, options.vectors);
  add_vector_parameters(command, options.how);
}

void add_trial_options(Command& command, VerifyCommandOptions& options) {
  add_whole_number(command, "--splits", options.splits,
                   "Number of random splits; more reveal smaller errors")
      ->default_str(fmt::format("{}; of images {}", splits_of_scores, splits_of_images));
  add_whole_number(command, "--test-size", options.test_size,
                   "Test examples, or subjects, of each split")
      ->default_str("a quarter");
  add_whole_number(command, "--seed", options.seed,
                   "Seed of the first split; the next ones count up", 0);
  add_alphas(command, options.alphas);
  add_k(command, options.k);
  command
      .add_option(
          "--methods", options.methods,
          "Among caos, full-caos, scos, scos-best, scos-oracle, split-caos, split-caos-cal, "
          "split-caos-ref and, of vectors, full-ratio, full-kernel; by default all that can run. Of "
          "texts, full-caos "
          "must be named: it scores every text under every text with every label")
      ->delimiter(',')
      ->type_name("NAME,...");
  add_threads(command, options.threads);
  add_result_options(command, options.common);
}

}  // namespace

void add_verify(Command& app) {
  Command& command =
      app.add_subcommand("verify", "Check coverage and identities on your data; exit 1 on failure");
  const auto options = std::make_shared<VerifyCommandOptions>();
  add_trial_options(command, *options);
  add_group(command, array_group, [&] { add_array_options(command, *options); });
  add_group(command, image_group, [&] { add_image_options(command, *options); });
  add_group(command, text_group, [&] { add_text_options(command, *options); });
  add_group(command, vector_group, [&] { add_vector_options(command, *options); });
  command.footer(
      "Without data it uses synthetic scores and faces. It reports the coverage of every method\n"
      "over random splits, and identities that must hold bit for bit.\n\n"
      "Example:\n  caos verify --splits 50 --alpha 0.1");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
