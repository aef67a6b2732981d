#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "apps/cli/landmarks/acceptance/acceptance_candidates.hpp"
#include "apps/cli/landmarks/acceptance/acceptance_output.hpp"
#include "apps/cli/landmarks/acceptance/planned_acceptance.hpp"
#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/landmark_scales.hpp"
#include "apps/cli/landmarks/score_options.hpp"
#include "apps/cli/landmarks/split_file.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos::cli {
namespace {

struct LandmarksAcceptCommandOptions {
  CommonOptions common;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  ScoreOption score;
  std::string refine = "pixels";
  std::string candidates;
  std::string tolerance;
  std::string fdr = "0.1";
  std::string references = "0.5";
  std::string split;
  std::uint64_t seed = 0;
  std::string subjects;
  std::string scale;
  std::string scales;
  std::size_t k = 3;
  std::string out;
  std::string plan;
  std::size_t threads = 0;
};

// What is asked for.

bool wants_csv(const LandmarksAcceptCommandOptions& options) {
  return options.out.ends_with(".csv");
}

Miscoverage level_of(const LandmarksAcceptCommandOptions& options) {
  try {
    return Miscoverage::parse(options.fdr);
  } catch (const Error&) {
    throw Error(ErrorKind::invalid_input,
                fmt::format("--fdr '{}': expected a decimal between 0 and 1 (both excluded), such "
                            "as 0.1",
                            options.fdr));
  }
}

/// How many of n labeled images are references: a number, or a share of them.
std::size_t num_references(const std::string& text, std::size_t n) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  const bool is_share = value > 0 && value < 1;
  require(is_number && (is_share || (value >= 1 && value <= 1e9 && value == std::floor(value))),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "--references '{}': expected a number of images, or a share between 0 and 1", text);
          });
  if (!is_share) return static_cast<std::size_t>(value);
  return static_cast<std::size_t>(std::floor(value * static_cast<double>(n)));
}

const std::string& candidate_folder(const LandmarksAcceptCommandOptions& options) {
  return options.candidates.empty() ? options.annotations.images : options.candidates;
}

void check(const LandmarksAcceptCommandOptions& options) {
  require(!options.annotations.images.empty() && !options.annotations.landmarks.empty(),
          ErrorKind::invalid_input, "give the images (--images) and their landmarks (--landmarks)");
  static_cast<void>(LandmarkTolerance::parse(options.tolerance));
  static_cast<void>(level_of(options));
  static_cast<void>(num_references(options.references, 2));
  static_cast<void>(options.score.parse(options.embedding.backbone));
  static_cast<void>(parse_refine(options.refine));
  static_cast<void>(source_options(options.embedding, options.threads));
  require(wants_csv(options) || options.out.ends_with(".json"), ErrorKind::invalid_input,
          [&] { return fmt::format("--output {}: must end in .json or .csv", options.out); });
  require(options.scale.empty() || options.scales.empty(), ErrorKind::invalid_input,
          "give --scale or --scales, not both");
  require(options.candidates.empty() || !is_embedding_file(options.embedding.backbone),
          ErrorKind::invalid_input,
          "--candidates does not go with embeddings:FILE.npy; put all images into one folder, with "
          "one row for each");
  std::vector<std::string> inputs = inputs_of(options.embedding, options.annotations.images);
  std::ranges::copy(inputs_of(options.embedding, candidate_folder(options)),
                    std::back_inserter(inputs));
  inputs.insert(inputs.end(),
                {options.annotations.landmarks, options.split, options.subjects, options.scales});
  check_outputs({options.out, options.plan}, inputs);
}

// What is read.

std::vector<std::optional<double>> scales_of(const LandmarksAcceptCommandOptions& options,
                                             const landmarks::LandmarkTable& table,
                                             const AnnotatedImages& images) {
  const Scales given(options.scale, options.scales);
  std::map<std::string, std::optional<double>> in_table;
  for (const auto& annotation : table.annotations) {
    in_table.emplace(annotation.image, annotation.scale);
  }
  std::vector<std::optional<double>> scales;
  for (const std::string& name : images.names) {
    const std::optional<double> scale = given.of(name);
    scales.push_back(scale ? scale : in_table.at(name));
  }
  return scales;
}

split::Partition division_of(const LandmarksAcceptCommandOptions& options,
                             const AnnotatedImages& images) {
  if (!options.split.empty()) return read_division(options.split, images);
  return divide_labeled(images.size(), num_references(options.references, images.size()),
                        options.seed);
}

// The work.

/// Proposals for the candidates; images that cannot be read are no candidates.
void propose_all(const LandmarksAcceptCommandOptions& options, const LandmarkProposer& proposer,
                 const std::vector<std::string>& files, AcceptanceResult& result) {
  ProgressBar bar(options.common, "proposing");
  PatchSourceOptions source_of = source_options(options.embedding, options.threads);
  source_of.embed.rotation = vision::Rotation::none;  // candidates are taken as they are
  source_of.embed.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const auto all = is_embedding_file(options.embedding.backbone)
                       ? image_files(options.annotations.images)
                       : std::vector<std::string>();
  const auto source = open_patch_source(source_of, all);
  result.failed = predict_stream(
      *source, files, [&](std::size_t) -> const LandmarkPredictor& { return proposer.predictor(); },
      [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
        return [&, index = image.index, proposed = proposed_image(landmarks, image.frame)] {
          result.candidates.push_back(file_name(files[index]));
          result.proposals.push_back(proposed);
        };
      });
  bar.clear();
  warn_of_failed(options.common, result.failed);
  require(!result.candidates.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: no candidates; expected images that {} does not name",
                       candidate_folder(options), options.annotations.landmarks);
  });
}

std::vector<std::string> names_of(const AnnotatedImages& images, const Indices& indices) {
  std::vector<std::string> names;
  for (const std::size_t i : indices) names.push_back(images.names[i]);
  return names;
}

void warn_of(const LandmarksAcceptCommandOptions& options, const AcceptanceResult& result,
             const Candidates& found) {
  if (!found.copies.empty()) {
    warn(options.common, fmt::format("{} images are copies of labeled ones and not candidates; the "
                                     "first is {}",
                                     found.copies.size(), found.copies[0]));
  }
  if (const auto text = left_out_warning(result.left_out, options.k)) warn(options.common, *text);
  if (const auto text = too_few_to_accept(result.calibration.size(), result.q)) {
    warn(options.common, *text);
  }
}

LandmarkCalibrateOptions how_to_propose(const LandmarksAcceptCommandOptions& options) {
  return {.k = options.k,
          .score = options.score.parse(options.embedding.backbone),
          .own_parameter = options.score.has_own_parameter(options.embedding.backbone),
          .refine = parse_refine(options.refine),
          .threads = options.threads};
}

/// The landmark file; what there is to say of it was said when its images were embedded.
landmarks::LandmarkTable read_again(const LandmarksAcceptCommandOptions& options) {
  CommonOptions silent = options.common;
  silent.quiet = true;
  return read_table(silent, options.annotations,
                    file_options(options.annotations, !options.embedding.ignore_orientation));
}

AcceptanceInputs read_inputs(const LandmarksAcceptCommandOptions& options) {
  AcceptanceInputs inputs{
      .images = read_annotated(options.common, options.annotations, options.embedding,
                               options.score.parse(options.embedding.backbone), options.threads),
      .table = read_again(options)};
  inputs.candidates = candidates_in(candidate_folder(options), inputs.table, inputs.images);
  inputs.subjects_known = check_subjects(inputs.table, options.subjects, inputs.candidates.names());
  inputs.scales = scales_of(options, inputs.table, inputs.images);
  inputs.division = division_of(options, inputs.images);
  inputs.embedding = embedding_record(options.embedding, inputs.images.identity);
  return inputs;
}

AcceptanceResult accept(const LandmarksAcceptCommandOptions& options,
                        const AcceptanceInputs& inputs) {
  const LandmarkCalibrateOptions how = how_to_propose(options);
  const LandmarkProposer proposer(inputs.images, inputs.division.references, inputs.embedding, how);
  AcceptanceResult result{
      .file = options.out,
      .plan = options.plan,
      .tolerance = LandmarkTolerance::parse(options.tolerance),
      .q = level_of(options),
      .basis = {.subjects_known = inputs.subjects_known, .division_given = !options.split.empty()},
      .references = names_of(inputs.images, inputs.division.references),
      .landmarks = proposer.landmarks(),
      .left_out = proposer.left_out(),
      .embedding = inputs.embedding};
  result.calibration = check_proposals(proposer, inputs.images, inputs.division.calibration,
                                       result.tolerance, inputs.scales, options.threads);
  propose_all(options, proposer, inputs.candidates.files, result);
  result.guarantee = selection::guarantee_of({});
  if (!options.plan.empty()) {
    result.guarantee = planned_guarantee(options.plan, plan_of(result, inputs, how), inputs.images);
  }
  result.acceptance = accept_landmarks(result.calibration, result.proposals, result.q);
  return result;
}

void run(const LandmarksAcceptCommandOptions& options) {
  check(options);
  const bool plan_is_new = !options.plan.empty() && !std::filesystem::exists(options.plan);
  Manifest manifest(options.common,
                    {.inputs = {options.annotations.landmarks, options.split, options.subjects,
                                options.scales, plan_is_new ? "" : options.plan},
                     .outputs = {options.out}});
  const AcceptanceInputs inputs = read_inputs(options);
  const AcceptanceResult result = accept(options, inputs);
  write_acceptance(result, wants_csv(options));
  warn_of(options, result, inputs.candidates);
  print_result(options.common, result);
  manifest.add_inputs(backbone_files(options.embedding.backbone));
  manifest.add_inputs(inputs.images.files);
  manifest.add_inputs(inputs.candidates.files);
  if (plan_is_new) manifest.add_outputs({options.plan});
  manifest.set_backbone(inputs.embedding);
  manifest.set_guarantee(guarantee_text(result));
  manifest.write();
}

}  // namespace

void add_landmarks_accept(Command& landmarks) {
  Command& command = landmarks.add_subcommand(
      "accept", "Accept points without review, with a controlled error rate");
  const auto options = std::make_shared<LandmarksAcceptCommandOptions>();
  add_annotation_options(command, options->annotations);
  add_path(command, "--candidates", options->candidates,
           "Folder of the images to accept; by default the images of --images without landmarks")
      ->type_name("DIR");
  command
      .add_option(
          "--tolerance", options->tolerance,
          "Largest error of a correct point: 5px, 2mm, or 4%:A-B (percent of the distance of "
          "landmarks A and B); choose before looking at results")
      ->required()
      ->type_name("SIZE");
  command
      .add_option("--fdr", options->fdr,
                  "Largest expected share of wrong points among the accepted, a decimal; choose "
                  "before looking at results")
      ->capture_default_str()
      ->type_name("Q");
  Option* references =
      command
          .add_option("--references", options->references,
                      "Number or share of labeled images that propose points; the others calibrate")
          ->capture_default_str()
          ->type_name("N");
  Option* seed = add_whole_number(command, "--seed", options->seed,
                                  "Seed of the random choice of references", 0);
  add_path(command, "--split", options->split,
           "CSV image,role with role reference or calibration, instead of a random division")
      ->excludes(seed)
      ->excludes(references);
  add_path(
      command, "--subjects", options->subjects,
      "CSV image,subject of the candidates, and of labeled images where their file names none: "
      "each subject must have one image");
  command.add_option("--scale", options->scale, "Millimeters per pixel of all images")
      ->type_name("MM");
  add_path(command, "--scales", options->scales,
           "Landmark file (CSV, TPS) that gives the scale of each image");
  add_k(command, options->k);
  add_score_option(command, options->score);
  add_cell_option(command, options->score);
  add_refine_option(command, options->refine);
  add_output(command, options->out, "Write all points with their decisions, .csv or .json")
      ->required();
  add_path(command, "--plan", options->plan,
           "Record tolerance, fdr and candidates here; later runs with this file say what changed");
  add_embedding_options(command, options->embedding);
  add_rotation_option(command, options->embedding);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos landmarks accept --images faces/labeled --landmarks faces/labeled.csv \\\n"
      "    --candidates faces/new --tolerance 5px --fdr 0.1 -o faces/accepted.csv");
  command.callback([options] {
    options->score.settle(options->common, options->embedding);
    run(*options);
  });
}

}  // namespace caos::cli
