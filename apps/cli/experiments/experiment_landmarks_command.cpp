#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "apps/cli/experiments/experiment_folder.hpp"
#include "apps/cli/experiments/landmark_results.hpp"
#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/score_options.hpp"
#include "apps/cli/landmarks/split_file.hpp"
#include "apps/cli/points/point_error_options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/landmarks/points/point_measurement.hpp"

namespace caos::cli {
namespace {

struct ExperimentLandmarksCommandOptions {
  CommonOptions common;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  std::string embeddings;
  std::string labels;
  GridOptions grid;
  std::string split;
  std::size_t seeds = 1;
  std::size_t seed = 1;
  std::size_t num_labeled = 0;  ///< 0: the paper's, or half of them
  std::size_t num_test = 0;
  std::size_t landmark_step = 1;
  std::string target = "subject";
  std::vector<std::string> alphas = {default_alpha};
  std::size_t k = 3;
  ScoreOption score{.text = paper_score};
  PointErrorOptions points;
  std::string out;
  std::size_t threads = 0;

  /// Rows of embeddings instead of image files.
  [[nodiscard]] bool has_rows() const { return !embeddings.empty(); }
  /// For the default parameters of scores.
  [[nodiscard]] std::string backbone() const {
    return has_rows() ? "embeddings:" + embeddings : embedding.backbone;
  }
};

/// The files that a run may write.
constexpr std::array<const char*, 10> landmarks_files = {
    "report.html",  "results.json",  "methods.csv",      "data_reuse.csv", "k_ablation.csv",
    "k_strata.csv", "landmarks.csv", "simultaneous.csv", "beyond.csv",     "point_errors.csv"};

void check(const ExperimentLandmarksCommandOptions& options) {
  const bool has_images = !options.annotations.images.empty();
  require(has_images != options.has_rows(), ErrorKind::invalid_input,
          "give --images DIR with --landmarks FILE, or --embeddings FILE with --labels FILE");
  require(has_images != options.annotations.landmarks.empty() &&
              options.has_rows() != options.labels.empty(),
          ErrorKind::invalid_input,
          "--images needs --landmarks, and --embeddings needs --labels; one pair of them");
  require(!options.has_rows() || options.embedding.backbone == default_backbone,
          ErrorKind::invalid_input, "--backbone is for images; --embeddings are used as they are");
  check(options.points, has_images);
  require(options.has_rows() || options.grid.is_plain(), ErrorKind::invalid_input,
          "--grid and --positions are for --embeddings; images have their own");
  require(!options.grid.grid.empty() || options.grid.positions.empty(), ErrorKind::invalid_input,
          "--positions needs --grid");
  check_experiment_folder(options.out, landmarks_files,
                          {options.annotations.landmarks, options.split, options.embeddings,
                           options.labels, options.points.scales, options.grid.positions});
}

/// Embeddings as they are: images are known by their row, landmarks by their column.
AnnotatedImages read_rows(const ExperimentLandmarksCommandOptions& options) {
  AnnotatedImages images;
  images.patches =
      read_labeled_arrays(options.embeddings, options.labels, options.grid, options.threads);
  for (std::size_t i = 0; i < images.patches.size(); ++i) {
    images.names.push_back(fmt::format("{}", i));
  }
  return images;
}

Indices every(std::size_t step, std::size_t count) {
  Indices indices;
  for (std::size_t t = 0; t < count; t += step) indices.push_back(t);
  return indices;
}

std::vector<LandmarkSplit> read_or_draw_splits(const ExperimentLandmarksCommandOptions& options,
                                               const AnnotatedImages& images) {
  if (!options.split.empty()) return {read_split(options.split, images)};
  const std::size_t count = num_subjects(images.patches);
  SplitSizes sizes = default_split_sizes(count);
  if (options.num_labeled > 0) {
    sizes.labeled = options.num_labeled;
    sizes.test = std::min<std::size_t>(100, count - std::min(count, sizes.labeled));
  }
  if (options.num_test > 0) sizes.test = options.num_test;
  std::vector<LandmarkSplit> splits;
  for (std::size_t s = 0; s < options.seeds; ++s) {
    splits.push_back(
        draw_landmark_split(images.patches, sizes, options.seed + s, parse_target(options.target)));
  }
  return splits;
}

/// The kinds of score that the main table does not have, with the parameters fixed in advance.
std::vector<PatchScore> other_scores(const PatchScore& score, const std::string& backbone,
                                     bool has_grids) {
  std::vector<PatchScore> others;
  for (const char* kind : {"cosine", "margin", "softmax", "geometry"}) {
    const PatchScore other = parse_patch_score(kind, score_defaults(backbone));
    if (other != score && (has_grids || !other.reads_positions())) others.push_back(other);
  }
  return others;
}

LandmarkExperimentOptions engine_options(const ExperimentLandmarksCommandOptions& options) {
  LandmarkExperimentOptions what;
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.score = options.score.parse(options.backbone());
  // Of rotated images all patches are kept only where the main score needs them.
  const bool has_grids =
      options.has_rows() ? !options.grid.grid.empty() : options.embedding.rotation == "none";
  what.other_scores = other_scores(what.score, options.backbone(), has_grids);
  what.target = parse_target(options.target);
  what.threads = options.threads;
  return what;
}

/// What was asked for, without what changes no result.
std::string landmarks_command_text(const Command& command) {
  return command_text(command, "caos experiment landmarks",
                      {"--output", "--threads", "--json", "--quiet", "--cache", "--cache-size",
                       "--no-cache", "--onnxruntime"});
}

void write_folder(const std::string& folder, const LandmarkResults& results) {
  io::make_folder(folder);
  for (const auto& [name, text] : landmark_csvs(results)) write_text(folder + "/" + name, text);
  write_text(folder + "/results.json", json_text(to_json(results), 2) + "\n");
  write_text(folder + "/report.html", landmark_page(results));
}

/// Of images: with the labels that the default score has, if they can have them.
AnnotatedImages read_images(const ExperimentLandmarksCommandOptions& options) {
  if (options.has_rows()) return read_rows(options);
  EmbeddingOptions embedding = options.embedding;
  ScoreOption usual;
  CommonOptions silent = options.common;
  silent.quiet = true;
  usual.settle(silent, embedding);
  return read_annotated(options.common, options.annotations, embedding,
                        options.score.parse(options.backbone()), options.threads);
}

/// Where labels are cells, CAOS with the default score; then they are patches.
std::vector<ExperimentResult> run_with_cells(LandmarkResults& results) {
  if (!results.images.patches.has_cells()) return {};
  const PatchScore score = choose_score(default_score, results.backbone).score;
  auto found = run_landmark_score(results.images.patches, results.splits, results.options, score);
  results.images = without_cells(std::move(results.images));
  return found;
}

/// Errors of the points that are proposed in every split.
PointSummary measure(const LandmarkResults& results, const PointUnits& units,
                     const std::vector<ImageUnits>& of_images,
                     const ExperimentLandmarksCommandOptions& options) {
  PointTestOptions how{.model = {.k = results.options.k,
                                 .score = results.options.score,
                                 .refine = parse_refine(options.points.refine),
                                 .threads = results.options.threads},
                       .target = results.options.target};
  ProgressBar bar(options.common, "proposing points");
  std::vector<PointOutcomes> outcomes;
  for (const LandmarkSplit& split : results.splits) {
    how.progress = [&](std::size_t done, std::size_t total) {
      bar.show(outcomes.size() * total + done, results.splits.size() * total);
    };
    outcomes.push_back(measure_points({.images = results.images,
                                       .labeled = split.labeled(),
                                       .test = split.test,
                                       .landmarks = results.experiment.landmarks,
                                       .units = of_images},
                                      how));
  }
  std::vector<std::string> names;
  for (std::size_t t = 0; t < results.experiment.landmarks.size(); ++t) {
    names.push_back(results.landmark(t));
  }
  return summarize_points(outcomes, names, units);
}

LandmarkResults experiment(const ExperimentLandmarksCommandOptions& options,
                           const std::string& command) {
  LandmarkResults results{.command = command, .backbone = options.backbone()};
  results.options = engine_options(options);
  results.own_parameter = options.score.has_own_parameter(options.backbone());
  results.images = read_images(options);
  if (!options.has_rows()) {
    results.embedding = embedding_record(options.embedding, results.images.identity);
  }
  results.num_landmarks = results.images.patches.num_tasks();
  results.landmark_step = options.landmark_step;
  PointUnits units;
  std::vector<ImageUnits> of_images;
  if (!options.has_rows()) {
    units = point_units(options.points, results.images);
    of_images = image_units(results.images, units);
  }
  results.images =
      with_tasks(std::move(results.images), every(options.landmark_step, results.num_landmarks));
  results.random_splits = options.split.empty();
  results.seed = options.seed;
  results.splits = read_or_draw_splits(options, results.images);
  ProgressBar bar(options.common, "evaluating");
  results.options.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  std::vector<ExperimentResult> of_default = run_with_cells(results);
  results.experiment =
      run_landmark_experiment(results.images.patches, results.splits, results.options);
  if (!of_default.empty()) results.experiment.other_scores.push_back(std::move(of_default));
  bar.clear();
  if (!options.has_rows()) results.points = measure(results, units, of_images, options);
  results.examples =
      example_images(results, source_options(options.embedding, options.threads).embed.decode);
  return results;
}

void run(const ExperimentLandmarksCommandOptions& options, const Command& command) {
  check(options);
  Manifest manifest(options.common,
                    {.inputs = {options.annotations.landmarks, options.split, options.embeddings,
                                options.labels, options.points.scales},
                     .folder = options.out,
                     .manifest = options.out + "/manifest.json"});
  const LandmarkResults results = experiment(options, landmarks_command_text(command));
  write_folder(options.out, results);
  print_experiment(options.common, results, options.out);
  if (const auto text = large_regions_text(results)) warn(options.common, *text);
  for (const char* name : landmarks_files) manifest.add_outputs({options.out + "/" + name});
  manifest.add_inputs(backbone_files(options.has_rows() ? "" : options.embedding.backbone));
  manifest.add_inputs(results.images.files);
  if (results.embedding) manifest.set_backbone(*results.embedding);
  manifest.set_guarantee("that of each method, beside its figures in results.json");
  manifest.write();
}

void add_split_options(Command& command, ExperimentLandmarksCommandOptions& options) {
  Option* split = add_path(command, "--split", options.split,
                           "One given split, CSV: image,role (reference, calibration, test); "
                           "with --embeddings the image is its row, from 0");
  add_whole_number(command, "--seeds", options.seeds, "Number of random splits")->excludes(split);
  add_whole_number(command, "--seed", options.seed, "Seed of the first random split", 0)
      ->excludes(split);
  add_whole_number(command, "--num-labeled", options.num_labeled,
                   "Labeled images of a random split; by default 100, or half of them")
      ->alias("--labeled")
      ->excludes(split)
      ->default_str("");
  add_whole_number(command, "--test-size", options.num_test,
                   "Test images of a random split; by default 100, or what is left")
      ->alias("--test")
      ->excludes(split)
      ->default_str("");
}

void add_method_options(Command& command, ExperimentLandmarksCommandOptions& options) {
  add_alphas(command, options.alphas);
  add_k(command, options.k);
  add_score_option(command, options.score);
  add_target(command, options.target);
  add_whole_number(command, "--landmark-step", options.landmark_step,
                   "Use every N-th landmark only, to save time");
}

}  // namespace

void add_experiment_landmarks(Command& experiment) {
  Command& command = experiment.add_subcommand(
      "landmarks", "Every method, ablation and score on annotated images, as a report");
  const auto options = std::make_shared<ExperimentLandmarksCommandOptions>();
  add_annotation_options(command, options->annotations);
  add_embedding_options(command, options->embedding);
  add_rotation_option(command, options->embedding);
  add_path(command, "--embeddings", options->embeddings,
           "Instead of images: their patch embeddings, .npy [images, patches, D]");
  add_path(command, "--labels", options->labels,
           "The patches that hold the landmarks, .npy [images, landmarks]; -1 is missing");
  add_grid_options(command, options->grid);
  add_split_options(command, *options);
  add_point_error_options(command, options->points);
  add_method_options(command, *options);
  add_output(command, options->out, "Folder for report.html, results.json and CSV files")
      ->required()
      ->type_name("DIR");
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos experiment landmarks --images faces --landmarks faces/all.csv --seeds 3 -o report");
  command.callback([options, &command] { run(*options, command); });
}

}  // namespace caos::cli
