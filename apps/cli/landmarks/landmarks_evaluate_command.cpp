#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/landmarks/landmark_evaluation_data.hpp"
#include "apps/cli/landmarks/landmark_evaluation_json.hpp"
#include "apps/cli/method_choice.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::cli {
namespace {

void write_sets(const std::string& path, const LandmarkEvaluation& evaluation,
                std::size_t num_patches) {
  const std::size_t num_test = evaluation.sets.at(0).size();
  const std::size_t num_landmarks = num_test == 0 ? 0 : evaluation.sets[0][0].size();
  io::write_npy(path, {evaluation.sets.size(), num_test, num_landmarks, packed_size(num_patches)},
                packed_sets(evaluation, num_patches));
}

/// The method whose sets are written: the first.
std::optional<Method> method_of_sets(const LandmarksEvaluateCommandOptions& options,
                                     const std::vector<Method>& methods) {
  if (options.sets.empty()) return std::nullopt;
  require(methods.at(0) == Method::caos || methods[0] == Method::full_caos,
          ErrorKind::invalid_input,
          "--sets writes the sets of the first of --methods, which must be caos or full-caos");
  return methods[0];
}

bool from_arrays(const LandmarksEvaluateCommandOptions& options) {
  return !options.embeddings.empty() || !options.labels.empty() ||
         !options.test_embeddings.empty() || !options.test_labels.empty();
}

/// The backbone that made the embeddings; unknown for arrays.
std::string backbone_of(const LandmarksEvaluateCommandOptions& options) {
  return from_arrays(options) ? backbone_of_arrays : options.embedding.backbone;
}

void settle(LandmarksEvaluateCommandOptions& options) {
  if (!from_arrays(options)) return options.score.settle(options.common, options.embedding);
  options.score.settle_for_arrays(!options.grid.grid.empty());
}

/// Whether every landmark has references and calibrating images.
bool halves_hold_all(const LabeledPatches& labeled, const split::Partition& halves) {
  return std::ranges::all_of(reference_columns(labeled), [&](const PatchTask& task) {
    return !positions_in(task, halves.references).empty() &&
           !positions_in(task, halves.calibration).empty();
  });
}

std::optional<std::string> obstacle_to_full(const LandmarksEvaluateCommandOptions& options) {
  const PatchScore score = options.score.parse(backbone_of(options));
  if (score.reads_positions()) {
    return fmt::format("full-caos is not available with the score {}; it is with --score {}",
                       patch_score_text(score), paper_score);
  }
  if (options.embedding.rotation == "none") return std::nullopt;
  return fmt::format("full-caos is not available with --rotation {}", options.embedding.rotation);
}

/// `labeled` and the halves of the split methods are given once they are known.
MethodChoice chosen_methods(const LandmarksEvaluateCommandOptions& options,
                            const LabeledPatches* labeled = nullptr,
                            const split::Partition* halves = nullptr) {
  return choose_methods(options.methods, [&](Method method) -> std::optional<std::string> {
    if (method == Method::caos) return std::nullopt;
    if (method == Method::full_caos) return obstacle_to_full(options);
    if (options.target == "image") {
      return fmt::format("{} is not available with --target image", method_name(method));
    }
    if (labeled != nullptr && !labeled->subjects.empty()) {
      return fmt::format("{} needs one image of each subject", method_name(method));
    }
    if (labeled != nullptr && halves != nullptr && !halves_hold_all(*labeled, *halves)) {
      return fmt::format("{} has too few images of some landmark in its halves",
                         method_name(method));
    }
    return std::nullopt;
  });
}

LandmarkEvaluateOptions engine_options(const LandmarksEvaluateCommandOptions& options) {
  LandmarkEvaluateOptions what;
  what.methods = chosen_methods(options).methods;
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.simultaneous = options.simultaneous;
  what.score = options.score.parse(backbone_of(options));
  check(options.conditional, what.methods);
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.keep_sets = method_of_sets(options, what.methods);
  what.target = parse_target(options.target);
  what.threads = options.threads;
  return what;
}

std::vector<std::string> tables_of(const LandmarksEvaluateCommandOptions& options) {
  return {options.embeddings,
          options.labels,
          options.test_embeddings,
          options.test_labels,
          options.grid.positions,
          options.test_positions,
          options.annotations.landmarks,
          options.split,
          options.points.scales};
}

void check(const LandmarksEvaluateCommandOptions& options) {
  const bool arrays = !options.embeddings.empty() && !options.labels.empty() &&
                      !options.test_embeddings.empty() && !options.test_labels.empty();
  const bool images = !options.annotations.images.empty() && !options.annotations.landmarks.empty();
  require(from_arrays(options) ? arrays && options.annotations.images.empty() : images,
          ErrorKind::invalid_input,
          "give --embeddings, --labels, --test-embeddings and --test-labels; or --images and "
          "--landmarks");
  require(!from_arrays(options) || options.target == "subject", ErrorKind::invalid_input,
          "--target does not go with --embeddings, whose images have no subjects");
  require(
      !from_arrays(options) || (options.split.empty() && options.annotations.landmarks.empty() &&
                                is_plain(options.embedding)),
      ErrorKind::invalid_input,
      "--split, --landmarks and the options of images do not go with --embeddings, whose "
      "images are embedded already");
  require(from_arrays(options) || (options.grid.is_plain() && options.test_positions.empty()),
          ErrorKind::invalid_input,
          "--grid, --positions and --test-positions are for --embeddings; images have their own");
  require(!options.grid.grid.empty() ||
              (options.grid.positions.empty() && options.test_positions.empty()),
          ErrorKind::invalid_input, "--positions and --test-positions need --grid");
  check(options.points, !from_arrays(options));
  std::vector<std::string> files = tables_of(options);
  check_standard_input(files);
  std::ranges::copy(inputs_of(options.embedding, options.annotations.images),
                    std::back_inserter(files));
  check_outputs({options.sets}, files);
}

// Errors of proposed points.

PointTestOptions point_options(const LandmarkEvaluateOptions& what,
                               const LandmarksEvaluateCommandOptions& options) {
  return {.model = {.k = what.k,
                    .score = what.score,
                    .refine = parse_refine(options.points.refine),
                    .threads = what.threads},
          .target = what.target,
          .processes = what.processes};
}

/// Of the landmarks that were evaluated.
PointSummary measure(const LandmarkEvaluationData& data, const LandmarkEvaluateOptions& what,
                     const LandmarksEvaluateCommandOptions& given) {
  PointTest test{.images = *data.images,
                 .labeled = data.roles.labeled(),
                 .test = data.roles.test,
                 .units = data.image_units};
  for (const std::string& name : data.labeled.tasks) {
    const auto found = std::ranges::find(data.images->patches.tasks, name);
    test.landmarks.push_back(static_cast<std::size_t>(found - data.images->patches.tasks.begin()));
  }
  ProgressBar bar(given.common, "proposing points");
  PointTestOptions options = point_options(what, given);
  options.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return summarize_points({measure_points(test, options)}, data.labeled.tasks, data.units);
}

// Several processes.

/// What the other processes need to know of what the first has read.
dist::Bytes message_of(const LandmarkEvaluationData& data, const split::Partition& partition) {
  dist::Packer packer;
  pack(packer, data.labeled);
  return packer.put_matrix(data.test.labels)
      .put_all(std::span<const std::size_t>(data.test.subjects))
      .put_all(std::span<const vision::PatchGrid>(data.test.grids))
      .put<std::uint8_t>(data.test.travel ? 1 : 0)
      .put_all(std::span<const std::size_t>(partition.references))
      .put_all(std::span<const std::size_t>(partition.calibration))
      .take();
}

/// What another process does: it reads the test images of its share, and nothing else.
void help(const LandmarksEvaluateCommandOptions& options, LandmarkEvaluateOptions what,
          dist::Communicator& processes) {
  if (!from_arrays(options)) help_to_embed(options.embedding, options.threads, processes);
  const dist::Bytes message = from_first(processes, {});
  LabeledPatches labeled;
  TestPatches test;
  together(processes, [&] {
    dist::Unpacker unpacker(message);
    labeled = unpack_labeled(unpacker);
    test.labels = unpacker.get_matrix<std::int64_t>();
    test.subjects = unpacker.get_all<std::size_t>();
    test.grids = unpacker.get_all<vision::PatchGrid>();
    test.travel = unpacker.get<std::uint8_t>() != 0;
    what.partition.references = unpacker.get_all<std::size_t>();
    what.partition.calibration = unpacker.get_all<std::size_t>();
    if (test.travel) return;
    const auto file =
        std::make_shared<io::EmbeddingFile>(io::EmbeddingFile::open(options.test_embeddings));
    require(file->num_images() == test.size(), ErrorKind::bad_format, [&] {
      return fmt::format("{}: holds {} images here and {} for the first process",
                         options.test_embeddings, file->num_images(), test.size());
    });
    test.image = [file](std::size_t i) { return unit_image(*file, i); };
  });
  what.methods = chosen_methods(options, &labeled, &what.partition).methods;
  what.conditional = conditional_of(options.conditional, labeled.size());
  static_cast<void>(evaluate_landmarks(labeled, test, what));
  if (!from_arrays(options)) help_to_measure_points(point_options(what, options));
}

void evaluate(const LandmarksEvaluateCommandOptions& options, LandmarkEvaluateOptions what,
              dist::Communicator& processes) {
  check(options);
  Manifest manifest(options.common, {.inputs = tables_of(options), .outputs = {options.sets}});
  LandmarkEvaluationData data =
      from_arrays(options) ? read_arrays(options) : read_images(options, processes);
  LandmarkReport report{.num_labeled = data.labeled.size(), .num_test = data.test.size()};
  report.left_out = drop_unusable(data.labeled, data.test.labels, options.k);
  report.landmarks = data.labeled.tasks;
  report.k = options.k;
  report.score = what.score;
  report.embedding = data.embedding;
  report.own_parameter = options.score.has_own_parameter(backbone_of(options));
  what.conditional = conditional_of(options.conditional, data.labeled.size());
  require(options.sets.empty() || data.num_patches > 0, ErrorKind::invalid_input,
          "--sets needs test images that all have the same number of patches");
  what.partition =
      data.partition ? *data.partition : split::halve(data.labeled.size(), options.seed);
  const MethodChoice choice = chosen_methods(options, &data.labeled, &what.partition);
  for (const std::string& text : choice.left_out) note(options.common, text);
  what.methods = choice.methods;
  if (processes.size() > 1) {
    static_cast<void>(from_first(processes, [&] { return message_of(data, what.partition); }));
    together(processes, [] {});  // the others have opened their files
  }
  ProgressBar bar(options.common, "evaluating");
  what.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  report.evaluation = evaluate_landmarks(data.labeled, data.test, what);
  bar.clear();
  if (data.images) report.points = measure(data, what, options);
  for (const std::string& text : warnings_of(report, what.rule)) warn(options.common, text);
  const auto large = large_regions_text(report.evaluation);
  if (large && data.embedding) warn(options.common, *large);
  if (!options.sets.empty()) write_sets(options.sets, report.evaluation, data.num_patches);
  print_result(
      options.common, [&] { return to_json(report); }, [&] { return text_of(report); });
  if (!from_arrays(options)) {
    manifest.add_inputs(backbone_files(options.embedding.backbone));
    manifest.add_inputs(data.images->files);
    manifest.set_backbone(*data.embedding);
  }
  manifest.set_guarantee(guarantees_of(report.evaluation.methods));
  manifest.write();
}

void run(const LandmarksEvaluateCommandOptions& options) {
  // What every process would refuse is refused before they meet.
  LandmarkEvaluateOptions what = engine_options(options);
  if (!from_arrays(options)) {
    static_cast<void>(source_options(options.embedding, options.threads));
  }
  on_all_processes([&](dist::Communicator& processes) {
    what.processes = &processes;
    processes.is_first() ? evaluate(options, what, processes) : help(options, what, processes);
  });
}

}  // namespace

void add_landmarks_evaluate(Command& landmarks) {
  Command& command =
      landmarks.add_subcommand("evaluate", "Coverage, set sizes and errors of proposed points");
  const auto options = std::make_shared<LandmarksEvaluateCommandOptions>();
  add_path(command, "--embeddings", options->embeddings,
           "Patch embeddings of the labeled images, .npy [images, patches, D]");
  add_path(command, "--labels", options->labels,
           "Their patches that hold the landmarks, .npy [images, landmarks]; -1 is missing");
  add_path(command, "--test-embeddings", options->test_embeddings,
           "Patch embeddings of the test images, likewise");
  add_path(command, "--test-labels", options->test_labels, "Their patches that hold the landmarks");
  add_grid_options(command, options->grid);
  add_path(command, "--test-positions", options->test_positions,
           "The same of --test-labels; checked against them");
  add_annotation_options(command, options->annotations);
  add_path(
      command, "--split", options->split,
      "CSV image,role with role reference, calibration or test; otherwise drawn at random, 100 "
      "labeled and 100 test, or half and half");
  add_alphas(command, options->alphas);
  add_k(command, options->k);
  add_methods(command, options->methods);
  add_score_option(command, options->score);
  add_cell_option(command, options->score);
  command.add_flag("--simultaneous", options->simultaneous,
                   "Also evaluate one threshold for all landmarks");
  add_path(command, "--sets", options->sets, "Write the sets of the first method, .npy of bits");
  add_whole_number(command, "--seed", options->seed, "Seed of random splits", 0);
  add_target(command, options->target);
  add_clip_rank(command, options->clip_rank);
  add_conditional_options(command, options->conditional);
  add_embedding_options(command, options->embedding);
  add_rotation_option(command, options->embedding);
  add_point_error_options(command, options->points);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos landmarks evaluate --images faces --landmarks faces/all.csv --split faces/split.csv \\\n"
      "    --score cosine --methods caos,full-caos,scos,scos-best,scos-oracle");
  command.callback([options] {
    settle(*options);
    run(*options);
  });
}

}  // namespace caos::cli
