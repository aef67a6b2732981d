#pragma once

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

/// Where a landmark is proposed to be, in pixels of the original: the refined point, or else the
/// place in the proposal's patch.
[[nodiscard]] vision::Point proposed_point(const LandmarkPrediction& prediction,
                                           const vision::Frame& frame);

/// Whether that point lies in the landmark's region. A refined point need not: it has no guarantee.
[[nodiscard]] bool is_inside_region(const LandmarkPrediction& prediction,
                                    const vision::Frame& frame);

}  // namespace caos
