#include "caos/landmarks/evaluation/image_error.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {
namespace {

/// Numbers the clusters of images that have a landmark, in the order in which they appear.
void number_clusters(std::span<const std::size_t> subjects, const std::vector<bool>& used,
                     ImageClusters& images) {
  std::map<std::size_t, std::size_t> numbers;
  images.clusters.resize(used.size());
  for (std::size_t x = 0; x < used.size(); ++x) {
    if (!used[x]) continue;
    const std::size_t subject = subjects.empty() ? x : subjects[x];
    const auto [place, is_new] = numbers.emplace(subject, numbers.size());
    images.clusters[x] = place->second;
    if (!is_new) images.by_subject = true;
  }
  images.num_clusters = numbers.size();
}

double weighted_mean(const std::vector<Outcome>& outcomes, double Outcome::*figure,
                     const Indices& present, const ImageClusters& images, double total) {
  double sum = 0;
  for (std::size_t p = 0; p < present.size(); ++p) {
    sum += images.weight(present[p]) * (outcomes[p].*figure);
  }
  return sum / total;
}

double total_weight(const Indices& present, const ImageClusters& images) {
  double total = 0;
  for (const std::size_t x : present) total += images.weight(x);
  return total;
}

std::size_t count_measured(const ImageClusters& images) {
  return static_cast<std::size_t>(
      std::ranges::count_if(images.present, [](const Indices& p) { return !p.empty(); }));
}

}  // namespace

ImageClusters image_clusters(const Matrix<std::int64_t>& labels,
                             std::span<const std::size_t> subjects) {
  ImageClusters images;
  images.present.resize(labels.cols());
  std::vector<bool> used(labels.rows(), false);
  for (std::size_t x = 0; x < labels.rows(); ++x) {
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      if (labels(x, t) == missing_label) continue;
      images.present[t].push_back(x);
      used[x] = true;
    }
  }
  number_clusters(subjects, used, images);
  return images;
}

Matrix<double> cluster_deviations(const std::vector<std::vector<Outcome>>& outcomes,
                                  double Outcome::*figure, const ImageClusters& images) {
  Matrix<double> deviations(images.num_clusters, outcomes.size(), 0.0);
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    const Indices& present = images.present[t];
    if (present.empty()) continue;
    const double total = total_weight(present, images);
    const double mean = weighted_mean(outcomes[t], figure, present, images, total);
    for (std::size_t p = 0; p < present.size(); ++p) {
      const std::size_t x = present[p];
      deviations(images.clusters[x], t) +=
          images.weight(x) * (outcomes[t][p].*figure - mean) / total;
    }
  }
  return deviations;
}

std::optional<double> clustered_error(const Matrix<double>& deviations, std::size_t num_landmarks) {
  if (deviations.rows() < 2 || num_landmarks == 0) return std::nullopt;
  double squares = 0;
  for (std::size_t c = 0; c < deviations.rows(); ++c) {
    double sum = 0;
    for (const double deviation : deviations.row(c)) sum += deviation;
    squares +=
        (sum / static_cast<double>(num_landmarks)) * (sum / static_cast<double>(num_landmarks));
  }
  const auto count = static_cast<double>(deviations.rows());
  return std::sqrt(squares * count / (count - 1));
}

TaskSummary with_image_errors(const TaskSummary& over_landmarks,
                              const std::vector<std::vector<Outcome>>& outcomes,
                              const ImageClusters& images) {
  const auto over_images = [&](const MeanWithError& mean, double Outcome::*figure) {
    return MeanWithError{.mean = mean.mean,
                         .standard_error = clustered_error(
                             cluster_deviations(outcomes, figure, images), count_measured(images))};
  };
  return {.coverage = over_images(over_landmarks.coverage, &Outcome::covered),
          .mean_set_size = over_images(over_landmarks.mean_set_size, &Outcome::size),
          .median_set_size = {.mean = over_landmarks.median_set_size.mean, .standard_error = {}},
          .singleton_rate = over_images(over_landmarks.singleton_rate, &Outcome::singleton),
          .empty_rate = over_images(over_landmarks.empty_rate, &Outcome::empty)};
}

}  // namespace caos
