#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/drawing/outline.hpp"
#include "caos/vision/working_size.hpp"

// What the program and the studio write about predictions of landmarks.
namespace caos::predictions {

/// What else there is to say about an image: a key of JSON, or a column of CSV, and a text.
struct Remark {
  std::string key;
  std::string text;
  std::optional<std::vector<std::string>> names{};  ///< in JSON, a list in place of the text
};

/// The predictions of one image file.
struct ImagePrediction {
  std::string image;
  vision::Frame frame{};
  std::optional<double> scale{};  ///< millimeters per pixel
  std::vector<LandmarkPrediction> landmarks{};
  std::vector<Remark> remarks{};  ///< the same keys for all images
};

/// To a thousandth, as pixels and millimeters are written.
[[nodiscard]] double rounded(double value);

/// A corner of the grid in pixels of the image, which may end within the last patches.
[[nodiscard]] vision::Point corner_in_pixels(const vision::GridCorner& corner,
                                             const vision::Frame& frame);

/// Where the landmark is proposed to be, in pixels of the image.
[[nodiscard]] vision::Point proposal_of(const LandmarkPrediction& prediction,
                                        const vision::Frame& frame);

/// How large the landmark's region is, in square pixels of the image.
[[nodiscard]] double area_of(const LandmarkPrediction& prediction, const vision::Frame& frame);

}  // namespace caos::predictions
