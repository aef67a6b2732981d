
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "apps/cli/classify/vector_inputs.hpp"
#include "apps/cli/classify/vector_method_options.hpp"
#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "apps/cli/verify/verify_output.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/classification/vote_scores.hpp"
#include "caos/core/random_use.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/synthetic_task.hpp"
#include "caos/io/arrays/score_file.hpp"
#include "caos/verify/landmark_verification.hpp"
#include "caos/verify/score_verification.hpp"
#include "caos/verify/synthetic_patches.hpp"
#include "caos/verify/vector_verification.hpp"

namespace caos::cli {
namespace {

struct VerifyCommandOptions {
  CommonOptions common;
  std::string labeled;
  std::string labels;
  ReverseOptions reverse;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  ScoreOption score{.text = "cosine"};  // one that has full-caos
  TrainOptions train;
  ScoringOptions scoring;
  TrainVectorOptions vectors;
  VectorMethodOptions how;
  std::vector<std::string> alphas = {default_alpha};
  std::vector<std::string> methods;
  std::size_t k = VerifyOptions{}.k;
  std::size_t splits = 0;  ///< 0: as many as suit the source
  std::size_t test_size = 0;
  std::uint64_t seed = VerifyOptions{}.seed;
  std::size_t threads = 0;
};

// Headings of the help.
constexpr const char* array_group = "Scores as arrays";
constexpr const char* image_group = "Images";
constexpr const char* text_group = "Texts";
constexpr const char* vector_group = "Vectors";

// As many splits as take some seconds.
constexpr std::size_t splits_of_scores = 200;
constexpr std::size_t splits_of_images = 40;

// The synthetic tasks, used if no data are given.
constexpr std::size_t toy_examples = 80;
constexpr std::size_t toy_patches = 20;
constexpr std::size_t drawn_faces = 60;

constexpr double most_vote_bytes = 1e9;

bool has_arrays(const VerifyCommandOptions& options) {
  return !options.labeled.empty() || !options.labels.empty();
}

bool has_images(const VerifyCommandOptions& options) {
  return !options.annotations.images.empty() || !options.annotations.landmarks.empty();
}

bool has_texts(const VerifyCommandOptions& options) { return !options.train.train.empty(); }

bool has_vectors(const VerifyCommandOptions& options) { return !options.vectors.train.empty(); }

std::vector<Method> methods_of(const VerifyCommandOptions& options) {
  return has_vectors(options) ? parse_vector_methods(options.methods)
                              : parse_methods(options.methods);
}

bool asks_for_full(const VerifyCommandOptions& options) {
  const std::vector<Method> methods = methods_of(options);
  return std::ranges::find(methods, Method::full_caos) != methods.end();
}

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
    const bool is_of_drawn_faces = none && name == "--score";
    if (option->count() == 0 || has_own_rule || is_of_drawn_faces) continue;
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

VerifyOptions engine_options(const VerifyCommandOptions& options, std::size_t default_splits,
                             ProgressBar& bar) {
  VerifyOptions what;
  what.methods = methods_of(options);
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.splits = options.splits > 0 ? options.splits : default_splits;
  what.test_size = options.test_size;
  what.seed = options.seed;
  what.threads = options.threads;
  what.progress = [&bar](std::size_t done, std::size_t total) { bar.show(done, total); };
  return what;
}

Verification verify(const VerifyCommandOptions& options, const ScoreExamples& examples) {
  ProgressBar bar(options.common, "splitting scores");
  return verify_scores(examples, engine_options(options, splits_of_scores, bar));
}

Verification verify(const VerifyCommandOptions& options, const LabeledPatches& images,
                    const std::string& backbone) {
  ProgressBar bar(options.common, "splitting images");
  const PatchScore score = options.score.parse(backbone);
  require(!score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--score {}: verify also checks full-caos, which is not available with this score; choose "
        "cosine, margin or softmax",
        patch_score_text(score));
  });
  return verify_landmarks(images, score, engine_options(options, splits_of_images, bar));
}

// Where examples come from.

Verification verify_toy(const VerifyCommandOptions& options) {
  // Splits are drawn with the seed itself: examples need numbers of their own.
  const std::uint64_t seed =
      stream_for(RandomUse::generated_examples, options.seed).below(1'000'000);
  ToyTask task(toy_patches, seed);
  const std::vector<ToyTask::Image> images = task.draw_images(toy_examples);
  const std::vector<float> scores = toy_scores(images, images);
  ScoreExamples examples;
  examples.scores.rows =
      MatrixView<const float>(scores.data(), toy_examples * toy_patches, toy_examples);
  examples.scores.num_labels = toy_patches;
  examples.scores.name = "synthetic scores";
  examples.labels = toy_labels(images);
  examples.symmetric = true;
  Verification part = verify(options, examples);
  part.source = fmt::format("synthetic, as from 'caos generate --n {} --num-labels {} --seed {}'",
                            toy_examples, toy_patches, seed);
  return part;
}

Verification verify_drawn(const VerifyCommandOptions& options) {
  Verification part =
      verify(options, drawn_patches(drawn_faces, options.seed, options.threads), default_backbone);
  part.source = fmt::format("synthetic, as from 'caos landmarks synthesize --n {} --seed {}'",
                            drawn_faces, options.seed);
  return part;
}

Verification verify_arrays(const VerifyCommandOptions& options) {
  const io::ScoreTensorFile file = io::open_tensor(options.labeled);
  ScoreExamples examples;
  examples.scores = file.tensor();
  check_labeled(examples.scores);
  examples.labels =
      read_labels(options.labels, examples.scores.num_inputs(), examples.scores.num_labels);
  std::optional<io::ScoreTensorFile> reverse;
  if (!options.reverse.reverse.empty()) {
    reverse = io::open_tensor(options.reverse.reverse);
    examples.reverse = reverse->tensor();
  }
  examples.symmetric = options.reverse.symmetric;
  Verification part = verify(options, examples);
  file.require_unchanged();
  if (reverse) reverse->require_unchanged();
  part.source = options.labeled;
  return part;
}

Verification verify_images(const VerifyCommandOptions& options, Manifest& manifest) {
  const AnnotatedImages images =
      read_annotated(options.common, options.annotations, options.embedding,
                     options.score.parse(options.embedding.backbone), options.threads);
  Verification part = verify(options, images.patches, options.embedding.backbone);
  part.source = fmt::format("{} with {}, backbone {}", options.annotations.images,
                            options.annotations.landmarks, options.embedding.backbone);
  manifest.add_inputs(backbone_files(options.embedding.backbone));
  manifest.add_inputs(images.files);
  manifest.set_backbone(embedding_record(options.embedding, images.identity));
  return part;
}

/// Every text with every label as the reference: what Full CAOS asks for in any split.
Matrix<Score> all_reverse_scores(const ReverseScorer& scorer, const LabeledTable& table) {
  std::vector<Candidate> candidates;
  Indices all;
  for (std::size_t t = 0; t < table.size(); ++t) {
    all.push_back(t);
    for (Label y = 0; y < table.labels.size(); ++y) candidates.push_back({.text = t, .label = y});
  }
  return scorer(candidates, all);
}

Verification verify_texts(const VerifyCommandOptions& options, Manifest& manifest) {
  const LabeledTable table = read_labeled_table(options.common, options.train);
  check_enough_texts(table.name, table.size(), options.k + 1);
  ScoringOptions scoring = options.scoring;
  scoring.threads = options.threads;
  TableScores scores(options.common, scoring, options.reverse.reverse, table);
  ScoreExamples examples{.scores = scores.tensor(), .labels = table.example_labels()};
  Matrix<Score> reverse;
  if (asks_for_full(options)) {
    reverse = all_reverse_scores(scores.reverse(), table);
    examples.reverse = ScoreTensor{.rows = ScoreRows(std::as_const(reverse).view()),
                                   .num_labels = table.labels.size(),
                                   .name = "reverse scores"};
  }
  add_to(manifest, table, options.scoring, scores.report());  // which takes the bar off the screen
  Verification part = verify(options, examples);
  part.part = "texts";
  part.source = fmt::format("{}, model {}", options.train.train, options.scoring.model);
  return part;
}

/// Labeled vectors with all labels that occur, if none are named.
LabeledVectors read_vectors_to_verify(const VerifyCommandOptions& options) {
  const VectorExamples examples = read_examples(options.vectors);
  CommonOptions quiet = options.common;  // labels of tested examples occur, too: there is no risk
  quiet.quiet = true;
  return labeled_vectors(examples, read_label_source(quiet, options.vectors, examples.labels));
}

/// The paper's methods take the votes of single vectors, as arrays.
Verification verify_votes(const VerifyCommandOptions& options, const LabeledVectors& examples) {
  const classification::VoteArrays votes(examples, classifier_options(options.how, Method::caos));
  Verification part = verify(options, ScoreExamples{.scores = votes.scores(),
                                                    .labels = examples.labels,
                                                    .reverse = votes.reverse()});
  part.part = "votes of vectors";
  return part;
}

/// Full conformal prediction and, where their arrays are not too large, the paper's methods.
std::vector<Verification> verify_vector_parts(const VerifyCommandOptions& options) {
  const LabeledVectors examples = read_vectors_to_verify(options);
  const std::vector<Method> methods = methods_of(options);
  const auto asked = [&](bool full) {
    return methods.empty() || std::ranges::any_of(methods, [&](Method m) {
             return is_full_conformal_of_vectors(m) == full;
           });
  };
  std::vector<Verification> parts;
  if (asked(true)) {
    ProgressBar bar(options.common, "splitting vectors");
    parts.push_back(verify_vectors(examples, classifier_options(options.how, Method::full_ratio),
                                   engine_options(options, splits_of_scores, bar)));
  }
  const bool fits = classification::VoteArrays::bytes(examples) <= most_vote_bytes;
  if (asked(false) && (fits || !methods.empty())) {
    VerifyCommandOptions of_arrays = options;
    std::erase_if(of_arrays.methods, [](const std::string& name) {
      return is_full_conformal_of_vectors(classification::parse_vector_method(name));
    });
    parts.push_back(verify_votes(of_arrays, examples));
  } else if (!fits) {
    parts.back().notes.emplace_back(
        "The paper's methods are left out, as their arrays would be large; name them in --methods "
        "to include them.");
  }
  for (Verification& part : parts) part.source = options.vectors.train;
  return parts;
}

std::vector<Verification> all_parts(const VerifyCommandOptions& options, Manifest& manifest) {
  if (has_arrays(options)) return {verify_arrays(options)};
  if (has_images(options)) return {verify_images(options, manifest)};
  if (has_texts(options)) return {verify_texts(options, manifest)};
  if (has_vectors(options)) return verify_vector_parts(options);
  return {verify_toy(options), verify_drawn(options)};
}

void run(const VerifyCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = tables_of(options)});
  const VerifyOutput output{.parts = all_parts(options, manifest)};
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
