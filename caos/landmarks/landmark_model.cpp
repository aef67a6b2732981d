#include "caos/landmarks/landmark_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/landmarks/refinement/correlation_map.hpp"

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

std::vector<std::size_t> grid_columns_of(const AnnotatedImages& images) {
  std::vector<std::size_t> columns;
  for (const vision::Frame& frame : images.frames) columns.push_back(frame.grid.columns);
  return columns;
}

/// Where a landmark of a grid with so many columns is, in pixels of the working image.
vision::Point working_point(std::int64_t label, Offset offset, std::size_t columns,
                            std::size_t patch_size) {
  const auto side = static_cast<double>(patch_size);
  const auto patch = static_cast<Label>(label);
  return {(static_cast<double>(patch % columns) + offset.x) * side,
          (static_cast<double>(patch / columns) + offset.y) * side};
}

/// Of some landmarks.
Matrix<std::uint8_t> columns_of(const Matrix<std::uint8_t>& templates, std::size_t num_tasks,
                                const Indices& tasks) {
  Matrix<std::uint8_t> result(0, templates.cols());
  for (std::size_t first = 0; first < templates.rows(); first += num_tasks) {
    for (const std::size_t t : tasks) result.push_row(templates.row(first + t));
  }
  return result;
}

std::vector<Calibration> calibrate_all(const LandmarkModel& model,
                                       const LandmarkCalibrateOptions& options) {
  const std::vector<PatchTask>& tasks = model.references.tasks;
  const ExampleWeights weights = model.weights();
  const auto matcher =
      make_matcher(model.labeled, model.references, options.score, options.threads);
  auto nearest = matcher->own_scores(options.threads)->nearest(model.calibrating, options.k);
  std::vector<Calibration> calibrations;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::size_t count = nearest[t].rows();
    calibrations.emplace_back(std::move(nearest[t]), Grouping::none(count), tasks[t].images.size(),
                              weights_of_task(weights, model.calibrating, tasks[t]));
  }
  return calibrations;
}

/// What predicting does not need, and files do not keep.
void forget_what_is_done_with(LandmarkModel& model) {
  if (model.score.is_symmetric()) model.labeled.images.clear();
  if (model.score.reads_positions()) return;
  for (RotatedPatches& rotated : model.labeled.rotations) {
    rotated = {.offsets = std::move(rotated.offsets)};
  }
}

}  // namespace

std::string size_and_precision(const EmbeddingRecord& record) {
  return fmt::format("{}, {}{}", vision::WorkingSize::recorded(record.working_size).description(),
                     precision_name(record.precision),
                     vision::rotation_description(record.rotation));
}

std::string labels_text(const EmbeddingRecord& record) {
  return record.cell ? fmt::format("cells of {} px", *record.cell) : "patches";
}

ImageTarget LandmarkModel::target() const {
  if (pool) return ImageTarget::image;
  return by_subject() || labeled.subjects_known ? ImageTarget::subject : ImageTarget::any;
}

ExampleWeights LandmarkModel::weights(std::size_t new_images) const {
  if (!pool) return weights_by_subject(labeled, calibrating);
  PoolSizes sizes = pool->sizes(calibrating);
  std::vector<std::size_t> subjects;
  for (const std::size_t i : calibrating) subjects.push_back(pool->subjects[i]);
  // Where labeled subjects are the whole pool, a new image is beyond it.
  const std::size_t least = pool_images_of(subjects, sizes) + new_images;
  sizes.images = std::max(sizes.images, least);
  return pool_weights(subjects, sizes, new_images);
}

std::vector<Calibration> LandmarkModel::calibrations_for(std::size_t new_images) const {
  const ExampleWeights all = weights(new_images);
  std::vector<Calibration> result;
  for (std::size_t t = 0; t < calibrations.size(); ++t) {
    result.push_back(
        calibrations[t].with_weights(weights_of_task(all, calibrating, references.tasks[t])));
  }
  return result;
}

NewImage LandmarkModel::new_image(const std::string& name) const {
  return pool ? new_image_of(*pool, pool->pool.subject_of_image(name)) : NewImage{};
}

JointCalibration LandmarkModel::joint(std::size_t new_images) const {
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
  return JointCalibration(scores, {}, weights(new_images));
}

std::string guarantee_is_for(ImageTarget target, bool simultaneous) {
  return fmt::format("for {}{}",
                     simultaneous ? "all landmarks of an image that are present, at once"
                                  : "a landmark that is present",
                     target == ImageTarget::any ? "" : fmt::format(", in {}", target_text(target)));
}

Matrix<std::uint8_t> templates_of(std::span<const vision::GrayImage* const> gray,
                                  const LandmarkExamples& examples) {
  const auto is_empty = [](const vision::GrayImage* image) { return image->rows() == 0; };
  if (gray.empty() || std::ranges::any_of(gray, is_empty)) return {};
  const Matrix<std::int64_t>& labels = examples.patches.labels;
  Matrix<std::uint8_t> templates(labels.rows() * labels.cols(), template_size, 0);
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      if (labels(i, t) == missing_label) continue;
      const vision::Point place = working_point(labels(i, t), examples.offsets(i, t),
                                                examples.grid_columns[i], examples.patch_size);
      std::ranges::copy(template_at(*gray[i], place), templates.row(i * labels.cols() + t).begin());
    }
  }
  return templates;
}

std::shared_ptr<const PointRefiner> make_refiner(const LandmarkModel& model,
                                                 Matrix<std::uint8_t> templates,
                                                 std::size_t patch_size) {
  LabeledTemplates labeled{.pixels = std::move(templates), .patch_size = patch_size};
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    Shape& shape = labeled.points.emplace_back(model.labeled.num_tasks());
    for (std::size_t t = 0; t < shape.size(); ++t) {
      const std::int64_t label = model.labeled.labels(i, t);
      if (label == missing_label) continue;
      shape[t] = working_point(label, model.offsets(i, t), model.grid_columns[i], patch_size);
    }
  }
  return std::make_shared<const PointRefiner>(std::move(labeled));
}

LandmarkExamples examples_of(const AnnotatedImages& images, const EmbeddingRecord& embedding) {
  LandmarkExamples examples{.embedding = embedding,
                            .images = images.names,
                            .patches = images.patches,
                            .offsets = offsets_of(images),
                            .grid_columns = grid_columns_of(images)};
  if (!images.frames.empty()) examples.patch_size = images.frames[0].grid.patch_size;
  std::vector<const vision::GrayImage*> gray;
  for (const vision::GrayImage& image : images.gray) gray.push_back(&image);
  examples.templates = templates_of(gray, examples);
  return examples;
}

void know_positions(LandmarkModel& model) {
  LabeledPatches& labeled = model.labeled;
  if (labeled.has_cells()) return;
  require(model.grid_columns.size() == labeled.size(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the score {} needs to know how the patches lie: give the grid of the labeled images",
        patch_score_text(model.score));
  });
  labeled.offsets = model.offsets;
  labeled.grids.clear();
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const std::size_t columns = model.grid_columns[i];
    labeled.grids.push_back({.patch_size = model.embedding.patch_size,
                             .columns = columns,
                             .rows = labeled.images[i].rows() / columns});
    require(labeled.grids[i].size() == labeled.images[i].rows(), ErrorKind::invalid_input, [&] {
      return fmt::format("image {} has {} patches, which is not a number of rows of {}", i,
                         labeled.images[i].rows(), columns);
    });
  }
}

LandmarkModel calibrate_landmarks(LandmarkExamples examples,
                                  const LandmarkCalibrateOptions& options) {
  if (examples.pool) examples.patches.subjects = repeated_subjects(examples.pool->subjects);
  check(examples.patches);
  check_k(options.score, options.k);
  const Indices usable = usable_tasks(examples.patches, options.k);
  const std::size_t num_landmarks = examples.patches.num_tasks();
  require(!usable.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "no landmark is marked in {} images of different subjects, which k = {} needs",
        options.k + 1, options.k);
  });
  LandmarkModel model;
  model.embedding = std::move(examples.embedding);
  model.score = options.score;
  model.own_parameter = options.own_parameter;
  model.images = std::move(examples.images);
  model.offsets = with_tasks(examples.offsets, usable);
  model.grid_columns = std::move(examples.grid_columns);
  model.left_out = names_without(examples.patches, usable);
  model.labeled = with_tasks(std::move(examples.patches), usable);
  // A side that is not smaller than the patches leaves the patches as labels.
  if (!model.labeled.has_cells()) model.embedding.cell.reset();
  if (options.score.reads_positions()) know_positions(model);
  model.references = reference_patches(model.labeled, options.threads);
  model.pool = std::move(examples.pool);
  if (options.refine && examples.templates.rows() > 0) {
    model.refiner = make_refiner(model, columns_of(examples.templates, num_landmarks, usable),
                                 examples.patch_size);
  }
  model.calibrating = all_images(model.labeled);
  model.calibrations = calibrate_all(model, options);
  forget_what_is_done_with(model);
  // The references have these now, and no labeled image is looked at again.
  model.labeled.cells.exact.clear();
  for (CellSource& source : model.labeled.cells.sources) source.gray.reset();
  return model;
}

}  // namespace caos
