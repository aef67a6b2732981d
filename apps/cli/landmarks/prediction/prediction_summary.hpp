#pragma once

#include <vector>

#include "apps/predictions/image_prediction.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/vision/drawing/overlay.hpp"

namespace caos::cli {

using predictions::ImagePrediction;

/// What there is to draw over an image; names only where they leave room.
[[nodiscard]] std::vector<vision::Region> regions_of(const ImagePrediction& prediction,
                                                     const LandmarkModel& model);

}  // namespace caos::cli
