#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/large_regions.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos {
namespace {

/// The name of an embedding by a backbone of the caller.
constexpr const char* own_backbone_name = "own";

PatchSourceOptions source_options(const EmbeddingRecord& record, const LandmarkEmbedding& given) {
  PatchSourceOptions options{.backbone = record.backbone,
                             .backbone_options = {.preset = record.preset,
                                                  .output = record.output,
                                                  .library = given.onnxruntime,
                                                  .threads = given.threads},
                             .patch_size = record.patch_size};
  options.embed.decode.apply_orientation = record.apply_orientation;
  options.embed.working_size = vision::WorkingSize::recorded(record.working_size);
  options.embed.precision = record.precision;
  options.embed.location = record.location;
  options.embed.cell = record.cell;
  options.embed.cache = cache_folder(given.cache, given.cache_bytes);
  options.embed.threads = given.threads;
  options.embed.progress = given.progress;
  return options;
}

std::unique_ptr<PatchSource> open_source(const EmbeddingRecord& record,
                                         const LandmarkEmbedding& given) {
  const PatchSourceOptions options = source_options(record, given);
  if (given.own_backbone) return make_patch_source(given.own_backbone, options.embed);
  return open_patch_source(options, {});
}

AnnotatedImages read_annotated(const PatchSource& source, const EmbeddingRecord& record,
                               const std::string& images, const std::string& landmarks) {
  landmarks::FileOptions options;
  options.sizes = image_sizes_in(images, record.apply_orientation);
  AnnotatedImages annotated =
      embed_annotated(source, images, landmarks::read_landmarks(landmarks, options), landmarks, {});
  require(annotated.size() > 0 || annotated.failed.empty(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: no image could be used; the first: {}", images,
                       annotated.failed[0].reason);
  });
  return annotated;
}

LandmarkPredictOptions predict_options(const RegionOptions& options) {
  require(options.method == Method::caos || options.method == Method::full_caos,
          ErrorKind::invalid_input, "regions are found with caos or full-caos");
  require(!options.simultaneous || options.method == Method::caos, ErrorKind::invalid_input,
          "simultaneous regions are found with caos only");
  return {.alpha = options.alpha, .method = options.method, .simultaneous = options.simultaneous};
}

LandmarkRegion region_of(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  LandmarkRegion region{.proposal = proposed_point(prediction, frame),
                        .proposal_p_value = prediction.proposal_p_value};
  for (const Label patch : prediction.set) {
    const vision::Bounds bounds = frame.patch_bounds(patch);
    region.patches.push_back({bounds.left, bounds.top, bounds.right, bounds.bottom});
  }
  region.image_share = region_share(prediction.set, frame);
  return region;
}

ImageRegions regions_of(const vision::Frame& frame, std::span<const LandmarkPrediction> landmarks,
                        const LandmarkModel& model, const std::string& file) {
  ImageRegions regions{.file = file, .width = frame.width, .height = frame.height};
  for (std::size_t t = 0; t < landmarks.size(); ++t) {
    LandmarkRegion region = region_of(landmarks[t], frame);
    region.landmark = model.labeled.tasks[t];
    for (const std::size_t i : landmarks[t].supporting_references) {
      region.supporting_references.push_back(model.images[i]);
    }
    regions.landmarks.push_back(std::move(region));
  }
  return regions;
}

/// Which column of `images` has each landmark of the model; one beyond the last for none.
std::vector<std::size_t> columns_of(const LandmarkModel& model, const AnnotatedImages& images) {
  std::vector<std::size_t> columns;
  for (const std::string& name : model.labeled.tasks) {
    columns.push_back(static_cast<std::size_t>(std::ranges::find(images.patches.tasks, name) -
                                               images.patches.tasks.begin()));
  }
  return columns;
}

}  // namespace

std::optional<std::string> large_regions(std::span<const ImageRegions> images) {
  RegionSize total;
  double count = 0;
  for (const ImageRegions& image : images) {
    for (const LandmarkRegion& region : image.landmarks) {
      total.share += region.image_share;
      total.patches += static_cast<double>(region.patches.size());
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return large_regions_text({.share = total.share / count, .patches = total.patches / count},
                            OptionNames::arguments);
}

struct LandmarkFinder::Parts {
  LandmarkModel model;
  std::unique_ptr<PatchSource> source;
  std::size_t threads = 0;
};

LandmarkFinder LandmarkFinder::calibrate(const std::string& images, const std::string& landmarks,
                                         const LandmarkFinderOptions& options) {
  const LandmarkEmbedding& given = options.embedding;
  EmbeddingRecord record;
  if (!given.working_size.empty()) record.working_size = given.working_size;
  if (!given.backbone.empty()) record.backbone = given.backbone;
  if (given.own_backbone) record.backbone = own_backbone_name;
  if (is_embedding_file(record.backbone)) record.precision = EmbeddingPrecision::float32;
  const ChosenScore chosen = choose_score(options.score, record.backbone);
  record.cell = choose_cell(options.cell, chosen.score);
  auto parts = std::make_shared<Parts>();
  parts->threads = given.threads;
  parts->source = open_source(record, given);
  record.identity = parts->source->identity();
  parts->model =
      calibrate_landmarks(read_annotated(*parts->source, record, images, landmarks), record,
                          {.k = options.k,
                           .score = chosen.score,
                           .own_parameter = chosen.own_parameter,
                           .threads = given.threads});
  return LandmarkFinder(std::move(parts));
}

LandmarkFinder LandmarkFinder::load(const std::string& path, const LandmarkEmbedding& embedding) {
  auto parts = std::make_shared<Parts>();
  parts->threads = embedding.threads;
  parts->model = read_landmark_model(path);
  require(!parts->model.pool, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated for a finite pool; use caos landmarks predict", path);
  });
  EmbeddingRecord record = parts->model.embedding;
  if (!embedding.backbone.empty()) record.backbone = embedding.backbone;
  require(embedding.own_backbone ||
              (record.backbone != own_backbone_name && !is_embedding_file(record.backbone)),
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: give the backbone that it was calibrated with, '{}'", path,
                               record.identity);
          });
  parts->source = open_source(record, embedding);
  require(parts->source->identity() == record.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the backbone '{}'; '{}' gives other embeddings",
                       path, record.identity, parts->source->identity());
  });
  return LandmarkFinder(std::move(parts));
}

void LandmarkFinder::save(const std::string& path) const {
  write_landmark_model(path, parts_->model);
}

const std::vector<std::string>& LandmarkFinder::landmarks() const {
  return parts_->model.labeled.tasks;
}

const std::vector<std::string>& LandmarkFinder::left_out() const { return parts_->model.left_out; }

const std::vector<std::string>& LandmarkFinder::images() const { return parts_->model.images; }

bool LandmarkFinder::is_feasible(const RegionOptions& options) const {
  const LandmarkPredictor predictor(parts_->model, predict_options(options));
  for (std::size_t t = 0; t < landmarks().size(); ++t) {
    if (!predictor.is_feasible(t)) return false;
  }
  return true;
}

Guarantee LandmarkFinder::guarantee(const RegionOptions& options) const {
  return LandmarkPredictor(parts_->model, predict_options(options))
      .weakest_guarantee(options.alpha);
}

std::string LandmarkFinder::assumption(const RegionOptions& options) const {
  return LandmarkPredictor(parts_->model, predict_options(options)).assumption();
}

std::vector<ImageRegions> LandmarkFinder::find(std::span<const std::string> files,
                                               const RegionOptions& options) const {
  const LandmarkPredictor predictor(parts_->model, predict_options(options));
  std::vector<ImageRegions> found(files.size());
  const auto keep = [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
    found[image.index] = regions_of(image.frame, landmarks, parts_->model, files[image.index]);
    return std::function<void()>();
  };
  const auto predictor_of = [&](std::size_t) -> const LandmarkPredictor& { return predictor; };
  for (const FailedImage& failed : predict_stream(*parts_->source, files, predictor_of, keep)) {
    found[failed.index] = {.file = files[failed.index], .error = failed.reason};
  }
  return found;
}

std::vector<LandmarkCoverage> LandmarkFinder::evaluate(const std::string& images,
                                                       const std::string& landmarks,
                                                       const RegionOptions& options) const {
  const LandmarkModel& model = parts_->model;
  const LandmarkPredictor predictor(model, predict_options(options));
  const AnnotatedImages test = read_annotated(*parts_->source, model.embedding, images, landmarks);
  std::vector<std::vector<LandmarkPrediction>> predictions(test.size());
  parallel_for(test.size(), 1, parts_->threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      predictions[i] = predictor.predict(
          test.patches.images[i].view(), padding_of(test.frames[i]), test.frames[i].grid, nullptr,
          test.patches.has_cells() ? &test.patches.cells.sources[i] : nullptr);
    }
  });
  const std::vector<std::size_t> columns = columns_of(model, test);
  std::vector<LandmarkCoverage> coverages;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < test.size() && columns[t] < test.patches.num_tasks(); ++i) {
      const std::int64_t truth = test.patches.labels(i, columns[t]);
      if (truth == missing_label) continue;
      outcomes.push_back(outcome_of(predictions[i][t].set, static_cast<Label>(truth)));
    }
    LandmarkCoverage coverage{.landmark = model.labeled.tasks[t], .num_images = outcomes.size()};
    if (!outcomes.empty()) coverage.evaluation = summarize(outcomes);
    coverages.push_back(std::move(coverage));
  }
  return coverages;
}

}  // namespace caos
