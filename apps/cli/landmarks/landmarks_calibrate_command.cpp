#include <memory>
#include <utility>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/landmark_model_output.hpp"
#include "apps/cli/landmarks/score_options.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos::cli {
namespace {

struct LandmarksCalibrateCommandOptions {
  CommonOptions common;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  ScoreOption score;
  std::string refine = "pixels";
  std::size_t k = 3;
  std::string target = "subject";
  std::string pool;
  std::string out;
  std::size_t threads = 0;
};

void check(const LandmarksCalibrateCommandOptions& options) {
  require(!options.annotations.images.empty() && !options.annotations.landmarks.empty(),
          ErrorKind::invalid_input, "give the images (--images) and their landmarks (--landmarks)");
  static_cast<void>(options.score.parse(options.embedding.backbone));
  static_cast<void>(parse_refine(options.refine));
  static_cast<void>(source_options(options.embedding, options.threads));
  std::vector<std::string> inputs = inputs_of(options.embedding, options.annotations.images);
  inputs.push_back(options.annotations.landmarks);
  inputs.push_back(options.pool);
  const bool by_image = parse_target(options.target) == ImageTarget::image;
  require(by_image || options.pool.empty(), ErrorKind::invalid_input,
          "--pool is for --target image; give both or neither");
  require(
      !by_image || !options.pool.empty(), ErrorKind::invalid_input,
      "--target image needs --pool FILE, a CSV image,subject of every image of the pool, labeled "
      "and new");
  check_outputs({options.out}, inputs);
}

void run(const LandmarksCalibrateCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = {options.annotations.landmarks, options.pool},
                                     .outputs = {options.out}});
  manifest.add_inputs(backbone_files(options.embedding.backbone));
  const AnnotatedImages images =
      read_annotated(options.common, options.annotations, options.embedding,
                     options.score.parse(options.embedding.backbone), options.threads);
  LandmarkExamples examples =
      examples_of(images, embedding_record(options.embedding, images.identity));
  if (!options.pool.empty()) {
    examples.pool =
        labeled_pool(read_image_pool(options.pool), images.names, images.patches.subjects);
  }
  const LandmarkModel model = calibrate_landmarks(
      std::move(examples),
      {.k = options.k,
       .score = options.score.parse(options.embedding.backbone),
       .own_parameter = options.score.has_own_parameter(options.embedding.backbone),
       .refine = parse_refine(options.refine),
       .threads = options.threads});
  if (const auto text = left_out_warning(model.left_out, options.k)) warn(options.common, *text);
  write_landmark_model(options.out, model);
  print_result(options.common, LandmarkModelOutput{options.out, model});
  manifest.add_inputs(images.files);
  manifest.set_backbone(model.embedding);
  manifest.set_guarantee(guarantee_of_sets_to_come);
  manifest.write();
}

}  // namespace

void add_landmarks_calibrate(Command& landmarks) {
  Command& command =
      landmarks.add_subcommand("calibrate", "Calibrate annotated images once, for every alpha");
  const auto options = std::make_shared<LandmarksCalibrateCommandOptions>();
  add_annotation_options(command, options->annotations);
  add_k(command, options->k);
  add_score_option(command, options->score);
  add_cell_option(command, options->score);
  add_refine_option(command, options->refine);
  add_output(command, options->out, "Where to write the model")->required();
  add_target(command, options->target);
  add_path(command, "--pool", options->pool,
           "For --target image: CSV image,subject of every image of the pool, labeled and new");
  add_embedding_options(command, options->embedding);
  add_rotation_option(command, options->embedding);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos landmarks calibrate --images faces/labeled --landmarks faces/labeled.csv \\\n"
      "    -o faces/model.caos");
  command.callback([options] {
    options->score.settle(options->common, options->embedding);
    run(*options);
  });
}

}  // namespace caos::cli
