#include "caos/engine/landmark_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/engine/coarse_pool.hpp"
#include "caos/engine/nearest_patches.hpp"
#include "caos/engine/patch_tasks.hpp"

namespace caos {
namespace {

/// Where each landmark lies in its patch, in the working image.
Matrix<Offset> offsets_of(const AnnotatedImages& images) {
  Matrix<Offset> offsets(images.size(), images.patches.num_tasks());
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (std::size_t t = 0; t < images.patches.num_tasks(); ++t) {
      if (images.patches.labels(i, t) == missing_label) continue;
      offsets(i, t) = images.frames[i].offset_at(images.points(i, t));
    }
  }
  return offsets;
}

Matrix<Offset> columns_of(const Matrix<Offset>& offsets, const Indices& tasks) {
  Matrix<Offset> result(offsets.rows(), tasks.size());
  for (std::size_t i = 0; i < offsets.rows(); ++i) {
    for (std::size_t t = 0; t < tasks.size(); ++t) result(i, t) = offsets(i, tasks[t]);
  }
  return result;
}

std::vector<std::string> unused_tasks(const LabeledPatches& labeled, const Indices& used) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
    if (!std::ranges::binary_search(used, t)) names.push_back(labeled.tasks[t]);
  }
  return names;
}

std::vector<Calibration> calibrate_all(const LandmarkModel& model,
                                       const LandmarkCalibrateOptions& options) {
  const std::vector<PatchTask>& tasks = model.references.tasks;
  std::vector<Calibration> calibrations;
  if (options.score.kind == PatchScore::Kind::cosine) {
    auto nearest = nearest_patches(model.labeled, model.references,
                                   CoarseRows(model.references.patches.view(), options.threads),
                                   model.calibrating, options.k, options.threads);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const std::size_t count = nearest[t].rows();
      calibrations.emplace_back(std::move(nearest[t]), Grouping::none(count),
                                tasks[t].images.size());
    }
    return calibrations;
  }
  const PatchScorer scorer(model.references.patches, options.score);
  const auto own = own_scores(model.labeled, tasks, scorer, options.threads);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    calibrations.push_back(calibrate(own[t], positions_in(tasks[t], model.calibrating), options.k));
  }
  return calibrations;
}

}  // namespace

JointCalibration LandmarkModel::joint() const {
  Matrix<Score> scores(calibrations.size(), calibrating.size(),
                       std::numeric_limits<Score>::quiet_NaN());
  for (std::size_t t = 0; t < calibrations.size(); ++t) {
    const Indices positions = positions_in(references.tasks[t], calibrating);
    for (std::size_t c = 0; c < positions.size(); ++c) {
      const std::size_t image = references.tasks[t].images[positions[c]];
      const auto column = std::ranges::lower_bound(calibrating, image) - calibrating.begin();
      scores(t, static_cast<std::size_t>(column)) = calibrations[t].scores()[c];
    }
  }
  return JointCalibration(scores);
}

LandmarkModel calibrate_landmarks(const AnnotatedImages& images, const EmbeddingRecord& embedding,
                                  const LandmarkCalibrateOptions& options) {
  check(images.patches);
  check_coarse_k(options.score, options.k);
  const Indices usable = usable_tasks(images.patches, options.k);
  require(!usable.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "no landmark is marked in {} images of different subjects, which k = {} needs",
        options.k + 1, options.k);
  });
  LandmarkModel model;
  model.embedding = embedding;
  model.score = options.score;
  model.own_parameter = options.own_parameter;
  model.images = images.names;
  model.labeled = with_tasks(images.patches, usable);
  model.offsets = columns_of(offsets_of(images), usable);
  model.left_out = unused_tasks(images.patches, usable);
  model.references = reference_patches(model.labeled, options.threads);
  model.calibrating = calibrating_images(model.labeled, options.seed);
  model.calibrations = calibrate_all(model, options);
  if (options.score.is_symmetric()) model.labeled.images.clear();
  return model;
}

}  // namespace caos
