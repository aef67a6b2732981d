#pragma once

#include <string>
#include <vector>

#include "landmark_prediction_output.hpp"

namespace caos::cli {

/// What `landmarks predict` writes about images: an object of JSON, or rows of CSV. There may be
/// megabytes of it, so it becomes text at once. Safe to share between threads.
class PredictionText {
 public:
  PredictionText(const LandmarkModel& model, bool csv);

  [[nodiscard]] std::string of(const ImagePrediction& prediction) const;

  [[nodiscard]] static std::string csv_header();

 private:
  bool csv_;
  std::vector<std::string> landmarks_;   // their names, as they are written
  std::vector<std::string> references_;  // names of the labelled images
};

}  // namespace caos::cli
