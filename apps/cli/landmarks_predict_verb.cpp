#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "caos/core/error.hpp"
#include "caos/engine/predict_stream.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/vision/encode.hpp"
#include "landmark_inputs.hpp"
#include "landmark_model_output.hpp"
#include "landmark_prediction_file.hpp"
#include "landmark_prediction_output.hpp"
#include "landmark_prediction_text.hpp"
#include "landmark_scales.hpp"
#include "options.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string model;
  std::string images;
  std::string alpha = "0.1";
  std::string method = "caos";
  bool simultaneous = false;
  bool clip_rank = false;
  std::string out;
  std::string overlay;
  std::string scale;
  std::string scales;
  std::string backbone;
  std::string onnxruntime;
  std::string cache;
  bool no_cache = false;
  std::size_t max_megapixels = 200;
  std::size_t threads = 0;
};

// What is asked for.

bool wants_csv(const std::string& path) { return path.ends_with(".csv"); }

LandmarkPredictOptions predict_options(const Options& options) {
  return {.alpha = Miscoverage::parse(options.alpha),
          .method = parse_method(options.method),
          .simultaneous = options.simultaneous,
          .rule = options.clip_rank ? RankRule::clip : RankRule::every_label};
}

/// Drawings must not replace the images that they are drawn on.
void check_overlay(const Options& options) {
  namespace fs = std::filesystem;
  if (options.overlay.empty()) return;
  std::error_code ignored;
  const fs::path images = fs::is_directory(options.images, ignored)
                              ? fs::path(options.images)
                              : fs::absolute(options.images, ignored).parent_path();
  require(!fs::equivalent(images, options.overlay, ignored), ErrorKind::invalid_input, [&] {
    return fmt::format("--overlay {}: is the folder of the images; give another", options.overlay);
  });
}

void check(const Options& options) {
  const LandmarkPredictOptions what = predict_options(options);
  require(what.method == Method::caos || what.method == Method::full_caos, ErrorKind::invalid_input,
          "--method is caos or full-caos");
  require(!what.simultaneous || what.method == Method::caos, ErrorKind::invalid_input,
          "--simultaneous goes with caos only");
  require(wants_csv(options.out) || options.out.ends_with(".json"), ErrorKind::invalid_input,
          [&] { return fmt::format("--out {}: must end in .json or .csv", options.out); });
  require(options.scale.empty() || options.scales.empty(), ErrorKind::invalid_input,
          "give --scale or --scales, not both");
  check_outputs({options.out}, {options.model, options.scales});
  check_overlay(options);
}

/// New images become embeddings as the labelled ones did. A file of embeddings was that of the
/// labelled images: using it again would give answers about them.
PatchSourceOptions source_like(const EmbeddingRecord& record, const Options& options) {
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
  embedding.working_size = record.working_size;
  embedding.patch_size = record.patch_size;
  embedding.ignore_orientation = !record.apply_orientation;
  embedding.max_megapixels = options.max_megapixels;
  embedding.cache = options.cache;
  embedding.no_cache = options.no_cache;
  PatchSourceOptions source = source_options(embedding, options.threads);
  source.embed.location = record.location;
  return source;
}

void check_same_backbone(const LandmarkModel& model, const PatchSource& source,
                         const Options& options) {
  require(source.identity() == model.embedding.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the backbone '{}'; '{}' gives other embeddings",
                       options.model, model.embedding.identity, source.identity());
  });
}

// What is written.

Json head_json(const Options& options, const LandmarkModel& model,
               const LandmarkPredictor& predictor) {
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    landmarks.push_back({{"landmark", model.labeled.tasks[t]},
                         {"n", predictor.num_calibrating(t)},
                         {"feasible", predictor.is_feasible(t)},
                         {"guarantee", predictor.guarantee(t).text()}});
  }
  return {{"model", options.model},
          {"alpha", predict_options(options).alpha.value()},
          {"method", options.method},
          {"simultaneous", options.simultaneous},
          {"k", model.k()},
          {"score", patch_score_text(model.score)},
          {"score_parameter", model.own_parameter ? "given" : "default"},
          {"backbone", model.embedding.backbone},
          {"backbone_identity", model.embedding.identity},
          {"working_size", model.embedding.working_size},
          {"location_prior", model.embedding.location.has_value()},
          {"left_out", model.left_out},
          {"guarantee_is_for", guarantee_is_for(model.by_subject(), options.simultaneous)},
          {"assumption", assumption},
          {"landmarks", std::move(landmarks)}};
}

void write_overlay(const Options& options, const std::string& file,
                   const vision::DecodeOptions& decode, const ImagePrediction& prediction,
                   const LandmarkModel& model) {
  const io::MappedFile bytes = io::MappedFile::open(file);
  const vision::Image image = vision::decode_image(bytes.bytes(), file, decode);
  const auto jpeg = vision::encode_jpeg(vision::draw_overlay(image, regions_of(prediction, model)));
  // Called so that it replaces no image, wherever the folder lies.
  const auto path = std::filesystem::path(options.overlay) / (prediction.image + ".overlay.jpg");
  io::write_whole(path.string(), [&](io::Sink& sink) { sink.write(jpeg); });
}

// What is said.

void warn_if_infeasible(const Options& options, const LandmarkModel& model,
                        const LandmarkPredictor& predictor, const Miscoverage& alpha) {
  std::vector<std::string> names;
  std::size_t most = 0;
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    if (predictor.is_feasible(t)) continue;
    names.push_back(model.labeled.tasks[t]);
    most = std::max(most, predictor.num_calibrating(t));
  }
  if (names.empty()) return;
  const std::size_t count = names.size();
  if (names.size() > 5) names.resize(5);
  warn(options.common,
       fmt::format("alpha {}: {} images are needed to calibrate a landmark; {} have at most {} "
                   "({}{}), so {}",
                   alpha.text(), examples_needed(alpha), count, most, fmt::join(names, ", "),
                   count > names.size() ? ", ..." : "",
                   options.clip_rank ? "the rank is clipped and nothing is guaranteed for them"
                                     : "their regions are the whole image"));
}

/// What all landmarks promise: that of the weakest.
std::string guarantee_text(const LandmarkModel& model, const LandmarkPredictor& predictor,
                           bool simultaneous) {
  Guarantee weakest = predictor.guarantee(0);
  for (std::size_t t = 1; t < predictor.num_landmarks(); ++t) {
    const Guarantee other = predictor.guarantee(t);
    if (other.kind == Guarantee::Kind::none) weakest = other;
  }
  if (weakest.kind == Guarantee::Kind::none) return weakest.text();
  return fmt::format("{}, {}, if {}", weakest.text(),
                     guarantee_is_for(model.by_subject(), simultaneous), assumption);
}

/// What is written about one image, and said.
struct Rendered {
  std::string text{};  ///< its part of the file
  ImageSummary summary{};
  std::string not_drawn{};  ///< why there is no drawing, though one was asked for
};

/// Turns predictions into text and drawings. Safe to share between threads.
class Renderer {
 public:
  Renderer(const Options& options, const std::vector<std::string>& files,
           const LandmarkModel& model, const vision::DecodeOptions& decode)
      : options_(options),
        files_(files),
        model_(model),
        decode_(decode),
        scales_(options.scale, options.scales),
        text_(model, wants_csv(options.out)) {}

  [[nodiscard]] Rendered render(PredictedImage&& predicted) const {
    const std::string& file = files_[predicted.index];
    ImagePrediction prediction;
    prediction.image = std::filesystem::path(file).filename().string();
    prediction.frame = predicted.frame;
    prediction.scale = scales_.of(prediction.image);
    prediction.landmarks = std::move(predicted.landmarks);
    Rendered result{.text = text_.of(prediction), .summary = ImageSummary(prediction)};
    if (!options_.overlay.empty()) result.not_drawn = draw(file, prediction);
    return result;
  }

 private:
  /// Why it could not be drawn, if so.
  [[nodiscard]] std::string draw(const std::string& file, const ImagePrediction& prediction) const {
    try {
      write_overlay(options_, file, decode_, prediction, model_);
      return {};
    } catch (const Error& error) {
      // Embeddings from a file do not need the image; a full disk is another matter.
      if (error.kind() != ErrorKind::bad_format) throw;
      return error.what();
    }
  }

  const Options& options_;
  const std::vector<std::string>& files_;
  const LandmarkModel& model_;
  vision::DecodeOptions decode_;
  Scales scales_;
  PredictionText text_;
};

void run(const Options& options) {
  check(options);
  const LandmarkModel model = read_landmark_model(options.model);
  const std::vector<std::string> files = image_files(options.images);
  const LandmarkPredictor predictor(model, predict_options(options));
  PatchSourceOptions source_of = source_like(model.embedding, options);
  const Renderer renderer(options, files, model, source_of.embed.decode);
  ProgressBar bar(options.common, "predicting");
  source_of.embed.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const auto source = open_patch_source(source_of, files);
  check_same_backbone(model, *source, options);
  if (!options.overlay.empty()) io::make_folder(options.overlay);

  PredictionSummary summary(options.out, guarantee_text(model, predictor, options.simultaneous),
                            model.labeled.tasks);
  std::vector<FailedImage> failed;
  io::write_whole(options.out, [&](io::Sink& sink) {
    PredictionWriter writer(sink, wants_csv(options.out), head_json(options, model, predictor));
    failed = predict_stream<Rendered>(
        *source, files, predictor,
        [&](PredictedImage&& image) { return renderer.render(std::move(image)); },
        [&](std::size_t, Rendered&& one) {
          if (!one.not_drawn.empty()) warn(options.common, "not drawn: " + one.not_drawn);
          writer.add(one.text);
          summary.add(one.summary);
        });
    require(summary.num_images > 0, ErrorKind::bad_format, [&] {
      return fmt::format("{}: no image could be used; the first: {}", options.images,
                         failed.at(0).reason);
    });
    writer.finish(failed);
  });
  bar.clear();
  summary.num_failed = failed.size();
  warn_of_failed(options.common, failed);
  warn_if_infeasible(options, model, predictor, predict_options(options).alpha);
  print_result(options.common, summary);
}

}  // namespace

void add_landmarks_predict(CLI::App& landmarks) {
  CLI::App& verb = *landmarks.add_subcommand("predict", "Regions for every landmark of new images");
  const auto options = std::make_shared<Options>();
  add_path(verb, "model", options->model, "What 'landmarks calibrate' wrote")
      ->required()
      ->type_name("");
  add_path(verb, "images", options->images, "A folder of images, or one image")
      ->required()
      ->type_name("");
  verb.add_option("--alpha", options->alpha, "Accepted miscoverage, a decimal")
      ->capture_default_str()
      ->type_name("A");
  verb.add_option("--method", options->method, "caos or full-caos")
      ->capture_default_str()
      ->type_name("NAME");
  verb.add_flag("--simultaneous", options->simultaneous,
                "Regions that hold all landmarks of an image at once");
  add_path(verb, "--out", options->out, "Where to write the regions, .json or .csv")->required();
  add_path(verb, "--overlay", options->overlay, "Draw the regions on the images, into this folder")
      ->type_name("DIR");
  verb.add_option("--scale", options->scale, "Millimetres per pixel of all images")
      ->type_name("MM");
  add_path(verb, "--scales", options->scales,
           "Landmark file (CSV, TPS) that gives the scale of each image");
  add_clip_rank(verb, options->clip_rank);
  verb.add_option("--backbone", options->backbone,
                  "Where the model's backbone lies now, or embeddings:FILE.npy of these images")
      ->type_name("NAME");
  add_path(verb, "--onnxruntime", options->onnxruntime, "ONNX Runtime's library, if not found");
  add_whole_number(verb, "--max-megapixels", options->max_megapixels, "Refuse larger images");
  CLI::Option* cache =
      add_path(verb, "--cache", options->cache, "Folder for embeddings that were computed before")
          ->type_name("DIR");
  verb.add_flag("--no-cache", options->no_cache, "Keep no embeddings")->excludes(cache);
  add_threads(verb, options->threads);
  add_common_options(verb, options->common);
  verb.footer(
      "Example (after the example of 'caos landmarks calibrate --help'):\n"
      "  caos landmarks predict faces/model.caos faces/new --alpha 0.1 --out faces/regions.json \\\n"
      "    --overlay faces/overlays");
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
