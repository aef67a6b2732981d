#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/predictions/image_prediction.hpp"

namespace caos::predictions {

/// What is written about images: an object of JSON, or rows of CSV. There may be megabytes of it,
/// so it becomes text at once. Safe to share between threads.
class PredictionText {
 public:
  /// `references` are the names of the labeled images that predictions refer to.
  PredictionText(std::span<const std::string> landmarks, std::span<const std::string> references,
                 bool csv);

  [[nodiscard]] std::string of(const ImagePrediction& prediction) const;

  /// `remarks` are the keys of the remarks.
  [[nodiscard]] static std::string csv_header(std::span<const std::string> remarks = {});

 private:
  bool csv_;
  std::vector<std::string> landmarks_;  // their names, as they are written
  std::vector<std::string> references_;
};

}  // namespace caos::predictions
