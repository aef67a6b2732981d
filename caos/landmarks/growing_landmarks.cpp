#include "caos/landmarks/growing_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/joint.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

std::vector<Offset> offsets_in(const KeyedImage& image) {
  std::vector<Offset> offsets;
  for (std::size_t t = 0; t < image.labels.size(); ++t) offsets.push_back(image.offset(t));
  return offsets;
}

constexpr Score itself = std::numeric_limits<Score>::infinity();

std::size_t position_of(const std::vector<ImageKey>& members, ImageKey key) {
  return static_cast<std::size_t>(std::ranges::lower_bound(members, key) - members.begin());
}

template <typename T>
void insert_at(std::vector<T>& values, std::size_t position, T value) {
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(position), std::move(value));
}

/// The images as a matcher takes them, with the landmarks that two have.
struct Batch {
  LabeledPatches labeled{};
  Indices landmarks{};
};

vision::Point scaled_to_patches(vision::Point at, const KeyedImage& image) {
  if (!image.cells) return at;
  const double side = side_in_patches(image.grid, image.patch_grid());
  return {.x = at.x * side, .y = at.y * side};
}

Batch batch_of(const std::map<ImageKey, KeyedImage>& images, std::size_t num_landmarks) {
  Batch batch;
  batch.labeled.labels = Matrix<std::int64_t>(0, num_landmarks);
  batch.labeled.tasks = numbered_names(num_landmarks);
  batch.labeled.offsets = Matrix<Offset>(0, num_landmarks);
  for (const auto& [key, image] : images) {
    batch.labeled.images.push_back(*image.patches);
    batch.labeled.labels.push_row(image.labels);
    batch.labeled.grids.push_back(image.grid);
    batch.labeled.offsets.push_row(offsets_in(image));
    if (image.cells) batch.labeled.cells.sources.push_back(*image.cells);
  }
  batch.landmarks = usable_tasks(batch.labeled, 1);
  return batch;
}

}  // namespace

vision::Point KeyedImage::position(std::size_t landmark) const {
  return scaled_to_patches(
      position_of(static_cast<Label>(labels[landmark]), offset(landmark), grid.columns), *this);
}

vision::Point KeyedImage::center(std::size_t landmark) const {
  return scaled_to_patches(center_of(grid, static_cast<std::size_t>(labels[landmark])), *this);
}

GrowingLandmarks::GrowingLandmarks(std::size_t num_landmarks, Options options,
                                   std::vector<KeyedImage> images, std::size_t threads)
    : options_(options), tasks_(num_landmarks, Task{{}, GrowingCalibration(options.k)}) {
  require(options_.k >= 1, ErrorKind::invalid_input, "k must be at least 1");
  if (options_.score.reads_positions()) estimates_ = std::make_shared<EstimateStore>();
  for (KeyedImage& image : images) {
    check(image);
    const ImageKey key = image.key;
    images_.emplace(key, std::move(image));
    if (images_.at(key).cells) vectors_[key];
  }
  std::vector<const KeyedImage*> all;
  for (const auto& [key, image] : images_) all.push_back(&image);
  parallel_for(all.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) read_vectors(*all[i]);
  });
  fill(threads);
}

std::vector<ImageKey> GrowingLandmarks::keys() const {
  std::vector<ImageKey> keys;
  for (const auto& [key, image] : images_) keys.push_back(key);
  return keys;
}

void GrowingLandmarks::check(const KeyedImage& image) const {
  require(!contains(image.key), ErrorKind::invalid_input,
          [&] { return fmt::format("image {} is already included", image.key); });
  require(image.patches && image.labels.size() == num_landmarks(), ErrorKind::invalid_input,
          [&] { return fmt::format("image {} needs a label for each landmark", image.key); });
  require(!image.cells || options_.score.reads_positions(), ErrorKind::invalid_input,
          "labels are cells with scores that read positions only");
  const auto rows = static_cast<std::int64_t>(image.num_labels());
  const bool fit = std::ranges::all_of(image.labels, [&](std::int64_t label) {
    return label == missing_label || (0 <= label && label < rows);
  });
  require(fit, ErrorKind::invalid_input,
          [&] { return fmt::format("image {}: a landmark is in no patch of it", image.key); });
}

void GrowingLandmarks::fill(std::size_t threads) {
  for (const auto& [key, image] : images_) {
    for (std::size_t t = 0; t < num_landmarks(); ++t) {
      if (image.labels[t] != missing_label) tasks_[t].members.push_back(key);
    }
  }
  Batch batch = batch_of(images_, num_landmarks());
  for (const auto& [key, vectors] : vectors_) {
    batch.labeled.cells.own.push_back(vectors.own);
    batch.labeled.cells.exact.push_back(vectors.exact);
  }
  batch.labeled = with_tasks(std::move(batch.labeled), batch.landmarks);
  for (Task& task : tasks_) {
    if (task.members.size() == 1) task.growing.add_example({}, {});
  }
  if (batch.landmarks.empty()) return;
  const ReferencePatches references = reference_patches(batch.labeled, threads);
  const auto matcher = make_matcher(batch.labeled, references, options_.score, threads);
  const auto own = matcher->own_scores(threads);
  parallel_for(batch.landmarks.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      tasks_[batch.landmarks[b]].growing = GrowingCalibration(own->table(b), options_.k);
    }
  });
}

void GrowingLandmarks::add_image(KeyedImage image) {
  check(image);
  const ImageKey key = image.key;
  const KeyedImage& added = images_.emplace(key, std::move(image)).first->second;
  read_vectors(added);
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    if (added.labels[t] != missing_label) put(tasks_[t], t, added);
  }
}

void GrowingLandmarks::remove_image(ImageKey key) {
  const KeyedImage& image = images_.at(key);
  for (std::size_t t = 0; t < num_landmarks(); ++t) {
    if (image.labels[t] != missing_label) take(tasks_[t], key);
  }
  images_.erase(key);
  vectors_.erase(key);
}

void GrowingLandmarks::set_label(ImageKey key, std::size_t landmark, std::int64_t label,
                                 Offset offset) {
  KeyedImage& image = images_.at(key);
  std::int64_t& current = image.labels.at(landmark);
  const bool reads_positions = options_.score.reads_positions();
  if (label == missing_label) offset = middle_of_patch;
  const Offset before = image.offset(landmark);
  const bool moved = reads_positions && (offset.x != before.x || offset.y != before.y);
  if (label == current && !moved) return;
  require(label == missing_label ||
              (0 <= label && label < static_cast<std::int64_t>(image.num_labels())),
          ErrorKind::invalid_input, "a landmark is in no patch of its image");
  Task& task = tasks_[landmark];
  if (current != missing_label) take(task, key);
  current = label;
  if (reads_positions) {
    image.offsets.resize(num_landmarks(), middle_of_patch);
    image.offsets[landmark] = offset;
  }
  read_vectors(image, landmark);
  if (label != missing_label) put(task, landmark, image);
}

std::span<const float> GrowingLandmarks::patch_of(ImageKey key, std::size_t landmark) const {
  const KeyedImage& image = images_.at(key);
  return image.patches->row(static_cast<std::size_t>(image.labels[landmark]));
}

/// Scores the new member under the others, and them under it.
void GrowingLandmarks::put(Task& task, std::size_t landmark, const KeyedImage& image) {
  if (options_.score.reads_positions()) return put_by_geometry(task, landmark, image);
  const std::array own_patch = {static_cast<Label>(image.labels[landmark])};
  Matrix<float> references(0, image.patches->cols());
  for (const ImageKey other : task.members) references.push_row(patch_of(other, landmark));
  const Matrix<Score> under =
      PatchScorer(std::move(references), options_.score).scores(image.patches->view(), own_patch);

  const std::size_t position = position_of(task.members, image.key);
  task.growing.insert_example(position, under.row(0),
                              under_new_member(task, landmark, image, under));
  insert_at(task.members, position, image.key);
}

/// The same where scores are those of pairs of images.
void GrowingLandmarks::put_by_geometry(Task& task, std::size_t landmark, const KeyedImage& image) {
  std::vector<GridPatches> others;
  for (const ImageKey other : task.members) others.push_back(images_.at(other).grid_patches());
  estimates_->prepare(image.grid_patches(), others, 0);
  std::vector<Score> own;
  std::vector<Score> theirs;
  for (const ImageKey key : task.members) {
    own.push_back(geometry_score_under(images_.at(key), image, landmark));
    theirs.push_back(geometry_score_under(image, images_.at(key), landmark));
  }
  const std::size_t position = position_of(task.members, image.key);
  task.growing.insert_example(position, own, theirs);
  insert_at(task.members, position, image.key);
}

Score GrowingLandmarks::geometry_score_under(const KeyedImage& reference, const KeyedImage& image,
                                             std::size_t landmark) const {
  const auto estimate = estimates_->estimate(reference.grid_patches(), image.grid_patches());
  return geometry_score(*estimate, reference.patch_grid(), this->reference(reference.key, landmark),
                        own_vector(image, landmark), image.center(landmark));
}

ReferenceLandmark GrowingLandmarks::reference(ImageKey key, std::size_t landmark) const {
  const KeyedImage& image = images_.at(key);
  const auto found = vectors_.find(key);
  return {.vector =
              found == vectors_.end() ? patch_of(key, landmark) : found->second.exact.row(landmark),
          .position = image.position(landmark)};
}

std::span<const float> GrowingLandmarks::own_vector(const KeyedImage& image,
                                                    std::size_t landmark) const {
  const auto found = vectors_.find(image.key);
  return found == vectors_.end() ? patch_of(image.key, landmark) : found->second.own.row(landmark);
}

/// Different images may be read at the same time once each has its place.
void GrowingLandmarks::read_vectors(const KeyedImage& image) {
  if (!image.cells) return;
  vectors_[image.key] = landmark_vectors(*image.cells, image.patches->view(), image.grid,
                                         image.labels, offsets_in(image));
}

void GrowingLandmarks::read_vectors(const KeyedImage& image, std::size_t landmark) {
  if (!image.cells || image.labels[landmark] == missing_label) return;
  std::vector<std::int64_t> labels(image.labels.size(), missing_label);
  labels[landmark] = image.labels[landmark];
  const LandmarkVectors read =
      landmark_vectors(*image.cells, image.patches->view(), image.grid, labels, offsets_in(image));
  LandmarkVectors& vectors = vectors_[image.key];
  std::ranges::copy(read.own.row(landmark), vectors.own.row(landmark).begin());
  std::ranges::copy(read.exact.row(landmark), vectors.exact.row(landmark).begin());
}

/// The scores of the members' landmark under that of the image; `under` are those of the image
/// under theirs.
std::vector<Score> GrowingLandmarks::under_new_member(const Task& task, std::size_t landmark,
                                                      const KeyedImage& image,
                                                      const Matrix<Score>& under) const {
  // Where scores are symmetric they are there already.
  if (options_.score.is_symmetric()) return {under.row(0).begin(), under.row(0).end()};
  Matrix<float> reference(0, image.patches->cols());
  reference.push_row(patch_of(image.key, landmark));
  const PatchScorer scorer(std::move(reference), options_.score);
  std::vector<Score> scores;
  for (const ImageKey key : task.members) {
    const KeyedImage& other = images_.at(key);
    const std::array patch = {static_cast<Label>(other.labels[landmark])};
    scores.push_back(scorer.scores(other.patches->view(), patch)(0, 0));
  }
  return scores;
}

void GrowingLandmarks::take(Task& task, ImageKey key) {
  const std::size_t position = position_of(task.members, key);
  task.members.erase(task.members.begin() + static_cast<std::ptrdiff_t>(position));
  task.growing.take_example(position);
}

std::optional<SortedScores> GrowingLandmarks::joint(const ExampleWeights& weights) const {
  std::map<ImageKey, std::size_t> column_of;
  for (const auto& [key, image] : images_) column_of.emplace(key, column_of.size());
  Matrix<Score> scores(0, images_.size());
  for (const Task& task : tasks_) {
    if (!task.growing.is_calibrated()) continue;
    std::vector<Score> row(images_.size(), std::numeric_limits<Score>::quiet_NaN());
    for (std::size_t i = 0; i < task.members.size(); ++i) {
      row[column_of.at(task.members[i])] = task.growing.calibration().scores()[i];
    }
    scores.push_row(row);
  }
  if (scores.rows() == 0) return std::nullopt;
  return JointCalibration(scores, {}, weights).scores();
}

std::vector<OnlineTask> GrowingLandmarks::online_tasks(std::span<const ImageKey> order) const {
  std::vector<OnlineTask> result;
  for (const Task& task : tasks_) {
    OnlineTask online;
    Indices positions;
    for (std::size_t e = 0; e < order.size(); ++e) {
      if (!std::ranges::binary_search(task.members, order[e])) continue;
      online.examples.push_back(e);
      positions.push_back(position_of(task.members, order[e]));
    }
    online.own = Matrix<Score>(positions.size(), positions.size(), itself);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      for (std::size_t j = 0; j < positions.size(); ++j) {
        if (i != j) online.own(i, j) = task.growing.own_score(positions[i], positions[j]);
      }
    }
    result.push_back(std::move(online));
  }
  return result;
}

}  // namespace caos
