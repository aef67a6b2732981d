#include "caos/landmarks/growing_landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/joint.hpp"
#include "caos/landmarks/patch_tasks.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

constexpr Score itself = std::numeric_limits<Score>::infinity();

std::size_t position_of(const std::vector<ImageKey>& members, ImageKey key) {
  return static_cast<std::size_t>(std::ranges::lower_bound(members, key) - members.begin());
}

template <typename T>
void insert_at(std::vector<T>& values, std::size_t position, T value) {
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(position), std::move(value));
}

template <typename T>
void erase_at(std::vector<T>& values, std::size_t position) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(position));
}

/// The images as those who score many at once take them, with the landmarks that two have.
struct Batch {
  LabeledPatches labeled{};
  Indices landmarks{};
};

Batch batch_of(const std::map<ImageKey, KeyedImage>& images, std::size_t num_landmarks) {
  Batch batch;
  batch.labeled.labels = Matrix<std::int64_t>(0, num_landmarks);
  batch.labeled.tasks = numbered_names(num_landmarks);
  for (const auto& [key, image] : images) {
    batch.labeled.images.push_back(*image.patches);
    batch.labeled.labels.push_row(image.labels);
  }
  batch.landmarks = usable_tasks(batch.labeled, 1);
  batch.labeled = with_tasks(std::move(batch.labeled), batch.landmarks);
  return batch;
}

std::vector<OwnScores> all_own_scores(const LabeledPatches& labeled, const PatchScore& score,
                                      std::size_t threads) {
  const ReferencePatches references = reference_patches(labeled, threads);
  if (score.kind != PatchScore::Kind::cosine) {
    return own_scores(labeled, references.tasks, PatchScorer(references.patches, score), threads);
  }
  std::vector<OwnScores> own;
  for (const PatchTask& task : references.tasks) {
    own.push_back(own_cosine_scores(labeled, references, task));
  }
  return own;
}

std::vector<std::vector<Score>> rows_of(const OwnScores& own) {
  std::vector<std::vector<Score>> rows;
  for (std::size_t i = 0; i < own.size(); ++i) {
    rows.emplace_back(own.row(i).begin(), own.row(i).end());
  }
  return rows;
}

}  // namespace

GrowingLandmarks::GrowingLandmarks(std::size_t num_landmarks, Options options,
                                   std::vector<KeyedImage> images, std::size_t threads)
    : options_(options), tasks_(num_landmarks) {
  require(options_.k >= 1, ErrorKind::invalid_input, "k must be at least 1");
  for (KeyedImage& image : images) {
    check(image);
    const ImageKey key = image.key;
    images_.emplace(key, std::move(image));
  }
  fill(threads);
}

std::vector<ImageKey> GrowingLandmarks::keys() const {
  std::vector<ImageKey> keys;
  for (const auto& [key, image] : images_) keys.push_back(key);
  return keys;
}

void GrowingLandmarks::check(const KeyedImage& image) const {
  require(!contains(image.key), ErrorKind::invalid_input,
          [&] { return fmt::format("image {} is there already", image.key); });
  require(image.patches && image.labels.size() == num_landmarks(), ErrorKind::invalid_input,
          [&] { return fmt::format("image {} needs a label for each landmark", image.key); });
  const auto rows = static_cast<std::int64_t>(image.patches->rows());
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
  for (Task& task : tasks_) task.own.assign(task.members.size(), {itself});
  const Batch batch = batch_of(images_, num_landmarks());
  if (batch.landmarks.empty()) return;
  const std::vector<OwnScores> own = all_own_scores(batch.labeled, options_.score, threads);
  parallel_for(own.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      Task& task = tasks_[batch.landmarks[b]];
      task.own = rows_of(own[b]);
      calibrate(task);
    }
  });
}

void GrowingLandmarks::add_image(KeyedImage image) {
  check(image);
  const ImageKey key = image.key;
  const KeyedImage& added = images_.emplace(key, std::move(image)).first->second;
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
}

void GrowingLandmarks::set_label(ImageKey key, std::size_t landmark, std::int64_t label) {
  KeyedImage& image = images_.at(key);
  std::int64_t& current = image.labels.at(landmark);
  if (label == current) return;
  require(label == missing_label ||
              (0 <= label && label < static_cast<std::int64_t>(image.patches->rows())),
          ErrorKind::invalid_input, "a landmark is in no patch of its image");
  Task& task = tasks_[landmark];
  if (current != missing_label) take(task, key);
  current = label;
  if (label != missing_label) put(task, landmark, image);
}

std::span<const float> GrowingLandmarks::patch_of(ImageKey key, std::size_t landmark) const {
  const KeyedImage& image = images_.at(key);
  return image.patches->row(static_cast<std::size_t>(image.labels[landmark]));
}

/// Scores the new member under the others, and them under it.
void GrowingLandmarks::put(Task& task, std::size_t landmark, const KeyedImage& image) {
  const std::array own_patch = {static_cast<Label>(image.labels[landmark])};
  Matrix<float> references(0, image.patches->cols());
  for (const ImageKey other : task.members) references.push_row(patch_of(other, landmark));
  const Matrix<Score> under =
      PatchScorer(std::move(references), options_.score).scores(image.patches->view(), own_patch);

  Matrix<float> itself_alone(0, image.patches->cols());
  itself_alone.push_row(patch_of(image.key, landmark));
  const PatchScorer scorer(std::move(itself_alone), options_.score);
  const std::size_t position = position_of(task.members, image.key);
  for (std::size_t i = 0; i < task.members.size(); ++i) {
    const KeyedImage& other = images_.at(task.members[i]);
    const std::array patch = {static_cast<Label>(other.labels[landmark])};
    // Where scores are symmetric the number is there already.
    const Score score = options_.score.is_symmetric()
                            ? under(0, i)
                            : scorer.scores(other.patches->view(), patch)(0, 0);
    insert_at(task.own[i], position, score);
  }
  std::vector<Score> row(under.row(0).begin(), under.row(0).end());
  insert_at(row, position, itself);
  insert_at(task.own, position, std::move(row));
  insert_at(task.members, position, image.key);
  calibrate(task);
}

void GrowingLandmarks::take(Task& task, ImageKey key) {
  const std::size_t position = position_of(task.members, key);
  erase_at(task.members, position);
  erase_at(task.own, position);
  for (std::vector<Score>& row : task.own) erase_at(row, position);
  calibrate(task);
}

void GrowingLandmarks::calibrate(Task& task) const {
  const std::size_t n = task.members.size();
  task.calibration.reset();
  if (n < options_.k + 1) return;
  Matrix<Score> own(0, n);
  for (const std::vector<Score>& row : task.own) own.push_row(row);
  task.calibration =
      caos::calibrate(OwnScores(std::as_const(own).view()), {.k = options_.k, .threads = 1});
}

std::optional<SortedScores> GrowingLandmarks::joint(const ExampleWeights& weights) const {
  std::map<ImageKey, std::size_t> column_of;
  for (const auto& [key, image] : images_) column_of.emplace(key, column_of.size());
  Matrix<Score> scores(0, images_.size());
  for (const Task& task : tasks_) {
    if (!task.calibration) continue;
    std::vector<Score> row(images_.size(), std::numeric_limits<Score>::quiet_NaN());
    for (std::size_t i = 0; i < task.members.size(); ++i) {
      row[column_of.at(task.members[i])] = task.calibration->scores()[i];
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
    online.own = Matrix<Score>(positions.size(), positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      for (std::size_t j = 0; j < positions.size(); ++j) {
        online.own(i, j) = task.own[positions[i]][positions[j]];
      }
    }
    result.push_back(std::move(online));
  }
  return result;
}

}  // namespace caos
