#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/landmark_model_output.hpp"
#include "apps/cli/landmarks/landmark_scales.hpp"
#include "apps/cli/landmarks/prediction/image_renderer.hpp"
#include "apps/cli/landmarks/prediction/landmark_prediction_file.hpp"
#include "apps/cli/landmarks/prediction/overlay_output.hpp"
#include "apps/cli/landmarks/prediction/predict_on_processes.hpp"
#include "apps/cli/landmarks/prediction/prediction_head.hpp"
#include "apps/cli/landmarks/prediction/prediction_summary.hpp"
#include "apps/cli/landmarks/prediction/prediction_target.hpp"
#include "apps/cli/landmarks/prediction/review_sheet.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "apps/predictions/prediction_writer.hpp"
#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/pool_predictors.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "caos/landmarks/split_landmarks.hpp"

namespace caos::cli {
namespace {

struct LandmarksPredictCommandOptions {
  CommonOptions common;
  std::string model;
  std::string images;
  std::string alpha = default_alpha;
  std::string method = "caos";
  bool simultaneous = false;
  bool clip_rank = false;
  ConditionalOptions conditional;
  std::uint64_t seed = default_halving_seed;
  std::string out;
  ProposalOptions proposals;
  OverlayOptions overlay;
  std::string scale;
  std::string scales;
  std::string backbone;
  std::string onnxruntime;
  CacheOptions cache;
  std::size_t max_megapixels = 200;
  std::size_t threads = 0;
};

// What is asked for.

bool wants_csv(const std::string& path) { return path.ends_with(".csv"); }

/// `num_labeled` images are labeled, as far as that is known.
LandmarkPredictOptions predict_options(const LandmarksPredictCommandOptions& options,
                                       std::size_t num_labeled = 0) {
  return {.alpha = Miscoverage::parse(options.alpha),
          .method = parse_method(options.method),
          .simultaneous = options.simultaneous,
          .rule = options.clip_rank ? RankRule::clip : RankRule::every_label,
          .conditional = conditional_of(options.conditional, num_labeled)};
}

/// The model as the method uses it.
LandmarkModel prepared(LandmarkModel&& model, const LandmarksPredictCommandOptions& options) {
  if (parse_method(options.method) != Method::split_caos) return std::move(model);
  const split::Partition halves = split::halve(model.images.size(), options.seed);
  return split_landmarks(std::move(model), halves, options.threads);
}

void check(const LandmarksPredictCommandOptions& options) {
  const LandmarkPredictOptions what = predict_options(options);
  require(what.method == Method::caos || what.method == Method::full_caos ||
              what.method == Method::split_caos,
          ErrorKind::invalid_input, "--method is caos, full-caos or split-caos");
  check(options.conditional, {what.method});
  require(!what.simultaneous || what.method == Method::caos, ErrorKind::invalid_input,
          "--simultaneous goes with caos only");
  check(options.proposals);
  require(!options.out.empty() || !options.proposals.output.empty(), ErrorKind::invalid_input,
          "--output is required unless --points is given");
  require(options.out.empty() || wants_csv(options.out) || options.out.ends_with(".json"),
          ErrorKind::invalid_input,
          [&] { return fmt::format("--output {}: must end in .json or .csv", options.out); });
  require(options.scale.empty() || options.scales.empty(), ErrorKind::invalid_input,
          "give --scale or --scales, not both");
  check_outputs({options.out, options.proposals.output}, {options.model, options.scales});
  check(options.overlay, options.images);
}

/// New images become embeddings as the labeled ones did. A file of embeddings was that of the
/// labeled images: using it again would give answers about them.
PatchSourceOptions source_like(const EmbeddingRecord& record,
                               const LandmarksPredictCommandOptions& options) {
  require(!options.backbone.empty() || !is_embedding_file(record.backbone),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "{}: was calibrated with {}; give --backbone embeddings:FILE.npy with those of the "
                "new images",
                options.model, record.backbone);
          });
  EmbeddingOptions embedding;
  embedding.backbone = options.backbone.empty() ? record.backbone : options.backbone;
  if (embedding.backbone.starts_with("onnx:")) {
    embedding.preset = record.preset;
    embedding.output = record.output;
  }
  embedding.onnxruntime = options.onnxruntime;
  embedding.patch_size = record.patch_size;
  embedding.cell = record.cell;
  embedding.ignore_orientation = !record.apply_orientation;
  embedding.max_megapixels = options.max_megapixels;
  embedding.cache = options.cache;
  PatchSourceOptions source = source_options(embedding, options.threads);
  source.embed.working_size = vision::WorkingSize::recorded(record.working_size);
  source.embed.precision = record.precision;
  source.embed.location = record.location;
  source.embed.keep_pictures = options.overlay.draws();
  return source;
}

/// Opens it, if it gives the embeddings that the model knows.
std::unique_ptr<PatchSource> open_source(const LandmarkModel& model,
                                         const PatchSourceOptions& source_of,
                                         std::span<const std::string> files,
                                         const LandmarksPredictCommandOptions& options) {
  std::unique_ptr<PatchSource> source = open_patch_source(source_of, files);
  require(source->identity() == model.embedding.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the backbone '{}'; '{}' gives other embeddings",
                       options.model, model.embedding.identity, source->identity());
  });
  return source;
}

// What is written.

std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(ImageFile{.path = file}.name());
  return names;
}

ImageRenderer::Options renderer_options(const LandmarksPredictCommandOptions& options,
                                        const PatchSourceOptions& source) {
  return {.csv = wants_csv(options.out),
          .draw = options.overlay.draws(),
          .names = parse_names(options.overlay.names),
          .decode = source.embed.decode};
}

/// What is predicted with, on any process.
struct Tools {
  Tools(LandmarkModel&& read, const LandmarksPredictCommandOptions& options)
      : model(prepared(std::move(read), options)),
        predictors(model, predict_options(options, model.images.size())),
        source_of(source_like(model.embedding, options)),
        renderer(model, renderer_options(options, source_of),
                 [this, what = predict_options(options)](const std::string& image) {
                   return remarks_of(model, predictors, what, image);
                 }) {}

  LandmarkModel model;
  PoolPredictors predictors;
  PatchSourceOptions source_of;
  ImageRenderer renderer;
};

/// Predicts all images in order, on this process or on all processes.
std::vector<FailedImage> predict_all(const LandmarksPredictCommandOptions& options,
                                     dist::Communicator& processes, const Tools& tools,
                                     const PatchSource& source,
                                     const std::vector<std::string>& files,
                                     const std::function<void(RenderedImage&&)>& take) {
  const Scales scales(options.scale, options.scales);
  const auto file_of = [&](std::size_t index) {
    ImageFile file{.path = files[index]};
    file.scale = scales.of(file.name());
    return file;
  };
  if (processes.size() > 1) {
    const auto take_and_draw = [&](RenderedImage&& image) {
      write_drawing(options.overlay, image);
      take(std::move(image));
    };
    return predict_on_processes(
        processes, {tools.predictors, source, tools.renderer},
        {files.size(), options.threads, file_of, take_and_draw, tools.source_of.embed.progress});
  }
  return predict_stream(
      source, files,
      [&](std::size_t index) -> const LandmarkPredictor& {
        return tools.predictors.of(file_of(index).name());
      },
      [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
        const ImageFile file = file_of(image.index);
        RenderedImage rendered =
            tools.renderer.render(std::move(image), std::move(landmarks), file);
        write_drawing(options.overlay,
                      rendered);  // here, as the disk is slow to say that it has it
        rendered.drawing = {};
        return [&take, rendered = std::move(rendered)]() mutable { take(std::move(rendered)); };
      });
}

// Several processes.

/// What the other processes need: the model, and the names of all images where the rows of a file
/// of embeddings go by them.
dist::Bytes message_of(std::span<const std::byte> model, const PatchSourceOptions& source,
                       std::span<const std::string> files) {
  if (!is_embedding_file(source.backbone)) files = {};
  return dist::Packer().put_all(model).put_texts(files).take();
}

/// What another process does: it reads the images of its share, and nothing else.
void help(const LandmarksPredictCommandOptions& options, dist::Communicator& processes) {
  std::optional<Tools> tools;
  std::unique_ptr<PatchSource> source;
  const auto open = [&](const dist::Bytes& message) {
    dist::Unpacker unpacker(message);
    auto bytes = unpacker.get_all<std::byte>();
    tools.emplace(read_landmark_model(io::SafetensorsFile(
                      io::MappedFile::of_bytes(std::move(bytes), options.model))),
                  options);
    source = open_source(tools->model, tools->source_of, unpacker.get_texts(), options);
  };
  // The message, a copy of the model, is gone before the work begins.
  {
    const dist::Bytes message = from_first(processes, {});
    together(processes, [&] { open(message); });
  }
  help_to_predict(processes, {tools->predictors, *source, tools->renderer});
}

void predict(const LandmarksPredictCommandOptions& options, dist::Communicator& processes) {
  check(options);
  Manifest manifest(options.common, {.inputs = {options.model, options.scales},
                                     .outputs = {options.out, options.proposals.output}});
  io::MappedFile file = io::MappedFile::read(options.model);
  dist::Bytes model_bytes;
  if (processes.size() > 1) model_bytes.assign(file.bytes().begin(), file.bytes().end());
  Tools tools(read_landmark_model(io::SafetensorsFile(std::move(file))), options);
  const std::vector<std::string> files = image_files(options.images);
  if (processes.size() > 1) {
    static_cast<void>(from_first(processes, [&] {
      const dist::Bytes bytes = std::exchange(model_bytes, {});  // gone before the work begins
      return message_of(bytes, tools.source_of, files);
    }));
  }
  ProgressBar bar(options.common, "predicting");
  tools.source_of.embed.progress = [&](std::size_t done, std::size_t total) {
    bar.show(done, total);
  };
  // On several processes the first shows how far all are, not how far it is with a share.
  PatchSourceOptions source_of = tools.source_of;
  if (processes.size() > 1) source_of.embed.progress = {};
  std::unique_ptr<PatchSource> source;
  together(processes, [&] { source = open_source(tools.model, source_of, files, options); });
  if (options.overlay.draws()) io::make_folder(options.overlay.folder);

  const Miscoverage alpha = predict_options(options).alpha;
  PredictionSummary summary(options.out.empty() ? options.proposals.output : options.out,
                            tools.model.labeled.tasks, tools.model.embedding);
  ProposalTable proposals(options.proposals, tools.model.labeled.tasks);
  ReviewSheet sheet;
  std::vector<FailedImage> failed;
  io::write_whole(options.out.empty() ? "/dev/null" : options.out, [&](io::Sink& sink) {
    predictions::PredictionWriter writer(
        sink, wants_csv(options.out),
        prediction_head(options.model, tools.model, tools.predictors, predict_options(options)),
        remark_keys(tools.model, wants_csv(options.out)));
    failed = predict_all(options, processes, tools, *source, files, [&](RenderedImage&& image) {
      if (!image.not_drawn.empty()) warn(options.common, "not drawn: " + image.not_drawn);
      writer.add(image.text);
      summary.add(image.summary);
      proposals.add(image.summary.image, image.proposals);
      sheet.add(image.summary, std::move(image.tile));
    });
    require(summary.num_images > 0, ErrorKind::bad_format, [&] {
      return fmt::format("{}: no image could be used; the first: {}", options.images,
                         failed.at(0).reason);
    });
    writer.finish(failed, summary.review_order());
  });
  bar.clear();
  for (const std::string& loss : proposals.write()) warn(options.common, loss);
  if (sheet.write(review_sheet_of(options.overlay))) {
    manifest.add_outputs({review_sheet_of(options.overlay)});
  }
  summary.num_failed = failed.size();
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    if (!tools.predictors.is_feasible(t, alpha)) summary.feasible = false;
  }
  summary.guarantee =
      guarantee_text(tools.model, tools.predictors, predict_options(options), summary.images);
  warn_of_failed(options.common, failed);
  for (const std::string& text :
       target_warnings(tools.model, tools.predictors, alpha, summary.images)) {
    warn(options.common, text);
  }
  if (const auto text = summary.empty_warning()) warn(options.common, *text);
  if (const auto text = summary.large_warning()) warn(options.common, *text);
  print_result(options.common, summary);
  manifest.add_inputs(backbone_files(tools.source_of.backbone));
  manifest.add_inputs(files);
  manifest.add_outputs(drawings_of(options.overlay, names_of(files)));
  EmbeddingRecord embedding = tools.model.embedding;
  embedding.backbone = tools.source_of.backbone;
  manifest.set_backbone(embedding);
  manifest.set_guarantee(summary.guarantee);
  manifest.write();
}

void run(const LandmarksPredictCommandOptions& options) {
  static_cast<void>(predict_options(options));  // what every process would refuse, before they meet
  on_all_processes([&](dist::Communicator& processes) {
    processes.is_first() ? predict(options, processes) : help(options, processes);
  });
}

}  // namespace

void add_landmarks_predict(Command& landmarks) {
  Command& command =
      landmarks.add_subcommand("predict", "Regions for every landmark of new images");
  const auto options = std::make_shared<LandmarksPredictCommandOptions>();
  add_path(command, "model", options->model, "A model written by 'caos landmarks calibrate'")
      ->required()
      ->type_name("");
  add_path(command, "images", options->images, "A folder of images, or one image")
      ->required()
      ->type_name("");
  add_alpha(command, options->alpha);
  command
      .add_option("--method", options->method,
                  "caos, full-caos, or split-caos, which calibrates on half of the images")
      ->offers({"caos", "full-caos", "split-caos"})
      ->capture_default_str()
      ->type_name("NAME");
  command.add_flag("--simultaneous", options->simultaneous,
                   "Regions that contain all landmarks of an image simultaneously");
  add_output(command, options->out, "Where to write the regions, .json or .csv");
  add_proposal_options(command, options->proposals);
  add_overlay_options(command, options->overlay);
  command.add_option("--scale", options->scale, "Millimeters per pixel of all images")
      ->type_name("MM");
  add_path(command, "--scales", options->scales,
           "Landmark file (CSV, TPS) that gives the scale of each image");
  add_clip_rank(command, options->clip_rank);
  add_conditional_options(command, options->conditional);
  add_whole_number(command, "--seed", options->seed, "Seed of the random halving for split-caos",
                   0);
  command
      .add_option("--backbone", options->backbone,
                  "New path of the model's backbone, or embeddings:FILE.npy of these images")
      ->type_name("NAME");
  add_path(command, "--onnxruntime", options->onnxruntime, "ONNX Runtime's library, if not found");
  add_whole_number(command, "--max-megapixels", options->max_megapixels, "Refuse larger images");
  add_cache_options(command, options->cache);
  add_threads(command, options->threads);
  add_result_options(command, options->common);
  command.footer(
      "Example (after the example of 'caos landmarks calibrate --help'):\n"
      "  caos landmarks predict faces/model.caos faces/new --alpha 0.1 -o faces/regions.json \\\n"
      "    --overlay faces/overlays");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
