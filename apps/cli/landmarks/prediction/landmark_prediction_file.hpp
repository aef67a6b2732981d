#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/landmarks/prediction/prediction_summary.hpp"
#include "apps/cli/program.hpp"
#include "caos/landmarks/shape_deviation.hpp"
#include "caos/landmarks/triage.hpp"

namespace caos::cli {

/// What the summary keeps of one image.
struct ImageSummary {
  ImageSummary() = default;
  ImageSummary(const ImagePrediction& prediction, const LabeledShapes& shapes);

  std::string image{};
  std::vector<std::size_t> set_sizes{};     ///< by landmark
  double region_share = 0;                  ///< of the image, on average over landmarks
  double region_area = 0;                   ///< in square pixels of the image, likewise
  std::optional<double> region_area_mm2{};  ///< where the image has a scale
  ImageConformity conformity{};
};

/// What is said when all images are predicted: sums, and of each image only what its place in the
/// review order takes.
struct PredictionSummary {
  PredictionSummary(std::string out, std::vector<std::string> names, EmbeddingRecord how);

  void add(const ImageSummary& image);

  /// Requires an image.
  [[nodiscard]] double mean_size(std::size_t landmark) const;
  [[nodiscard]] double mean_size() const;
  [[nodiscard]] double mean_share() const;
  /// In square pixels.
  [[nodiscard]] double mean_area() const;
  /// In square millimeters; nothing unless every image has a scale.
  [[nodiscard]] std::optional<double> mean_area_mm2() const;

  std::string file;
  std::string guarantee{};  ///< set when all images are known
  std::vector<std::string> landmarks;
  EmbeddingRecord embedding;
  bool feasible = true;  ///< alpha, for every landmark
  double total_share = 0;
  double total_area = 0;
  std::optional<double> total_area_mm2 = 0;
  std::vector<double> total_size;  ///< by landmark
  std::size_t num_images = 0;
  std::size_t num_failed = 0;
  std::string largest_image{};
  double largest_mean = -1;
  std::vector<std::string> images{};            ///< their names, in the order given
  std::vector<ImageConformity> conformities{};  ///< by image

  /// Names of images, least conforming first.
  [[nodiscard]] std::vector<std::string> review_order() const;
  /// What a user should hear of regions that are empty; nothing where none is.
  [[nodiscard]] std::optional<std::string> empty_warning() const;
  /// What to try where regions are large; nothing where they are not, or alpha is infeasible.
  [[nodiscard]] std::optional<std::string> large_warning() const;
};

[[nodiscard]] Json to_json(const PredictionSummary& summary);
[[nodiscard]] std::string to_text(const PredictionSummary& summary);

}  // namespace caos::cli
