#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caos/engine/landmark_predictor.hpp"
#include "caos/vision/overlay.hpp"
#include "caos/vision/working_size.hpp"
#include "program.hpp"

namespace caos::cli {

/// The predictions of one image file.
struct ImagePrediction {
  std::string image;
  vision::Frame frame{};
  std::optional<double> scale{};  ///< millimetres per pixel
  std::vector<LandmarkPrediction> landmarks{};
};

/// A landmark's prediction in pixels of the image.
struct PixelRegion {
  std::vector<std::vector<vision::Point>> outline{};
  vision::Point proposal{};
  double area = 0;  ///< square pixels
};

[[nodiscard]] PixelRegion in_pixels(const LandmarkPrediction& prediction,
                                    const vision::Frame& frame);

/// What `landmarks predict` writes for one image.
[[nodiscard]] Json to_json(const ImagePrediction& prediction, const LandmarkModel& model);
[[nodiscard]] std::string to_csv(const ImagePrediction& prediction, const LandmarkModel& model);
[[nodiscard]] std::string csv_header();

/// What there is to draw over an image; names only where they leave room.
[[nodiscard]] std::vector<vision::Region> regions_of(const ImagePrediction& prediction,
                                                     const LandmarkModel& model);

}  // namespace caos::cli
