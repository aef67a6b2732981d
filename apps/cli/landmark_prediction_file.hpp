#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "landmark_prediction_output.hpp"
#include "program.hpp"

namespace caos::cli {

/// What the summary keeps of one image.
struct ImageSummary {
  ImageSummary() = default;
  explicit ImageSummary(const ImagePrediction& prediction);

  std::string image{};
  std::vector<std::size_t> set_sizes{};  ///< by landmark
};

/// What is said when all images are predicted: sums, so that it does not grow with them.
struct PredictionSummary {
  PredictionSummary(std::string out, std::string what, std::vector<std::string> names);

  void add(const ImageSummary& image);

  /// Requires an image.
  [[nodiscard]] double mean_size(std::size_t landmark) const;
  [[nodiscard]] double mean_size() const;

  std::string file;
  std::string guarantee;
  std::vector<std::string> landmarks;
  std::vector<double> total_size;  ///< by landmark
  std::size_t num_images = 0;
  std::size_t num_failed = 0;
  std::string largest_image{};
  double largest_mean = -1;
};

[[nodiscard]] Json to_json(const PredictionSummary& summary);
[[nodiscard]] std::string to_text(const PredictionSummary& summary);

}  // namespace caos::cli
