#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/scores.hpp"

namespace caos {

// How sure a mean over landmarks is, from the test images of one split. Landmarks of one image are
// not independent: an image that is unlike the labeled ones misses many of them at once. Images are
// the units, or subjects where they have several test images (docs/project/theory.md, section 11).

/// Test images, and which of them depend on each other.
struct ImageClusters {
  std::vector<Indices> present{};       ///< by landmark: the images that have it, ascending
  std::vector<std::size_t> clusters{};  ///< by image: equal numbers for images of one subject
  std::vector<double> weights{};        ///< by image, positive; empty: all 1
  std::size_t num_clusters = 0;         ///< with at least one landmark
  bool by_subject = false;              ///< some subject has several images

  [[nodiscard]] double weight(std::size_t image) const {
    return weights.empty() ? 1 : weights[image];
  }
  /// `images` or `subjects`: what errors are over.
  [[nodiscard]] const char* name() const { return by_subject ? "subjects" : "images"; }
};

/// `labels` is [images, landmarks]; `subjects` is by image, or empty where all differ.
[[nodiscard]] ImageClusters image_clusters(const Matrix<std::int64_t>& labels,
                                           std::span<const std::size_t> subjects);

/// How far each cluster moves each landmark's mean, [clusters, landmarks]: the sum over the
/// cluster's images that have landmark t of w_x (o_xt - m_t) / W_t, with m_t the weighted mean and
/// W_t the sum of weights. `outcomes` is by landmark, then image that has it.
[[nodiscard]] Matrix<double> cluster_deviations(const std::vector<std::vector<Outcome>>& outcomes,
                                                double Outcome::*figure,
                                                const ImageClusters& images);

/// The standard error of the mean of the landmarks' means, with clusters as units:
/// sqrt(G / (G - 1) sum_c d_c^2), d_c the mean of cluster c's deviations over the landmarks that
/// some image has. Where every image has every landmark and is its own cluster this is the standard
/// error of the images' means; else a linearized ratio estimator. Nothing for fewer than two
/// clusters.
[[nodiscard]] std::optional<double> clustered_error(const Matrix<double>& deviations,
                                                    std::size_t num_landmarks);

/// The means of `over_landmarks` with errors over images instead of landmarks. The median has none.
[[nodiscard]] TaskSummary with_image_errors(const TaskSummary& over_landmarks,
                                            const std::vector<std::vector<Outcome>>& outcomes,
                                            const ImageClusters& images);

}  // namespace caos
