#pragma once

#include <cstddef>
#include <vector>

#include "caos/landmarks/evaluation/landmark_methods.hpp"

namespace caos {

/// The references of SCOS Best, by task and alpha: those whose sets of the calibration images are
/// smallest in sum. `thresholds` by task, alpha and reference.
[[nodiscard]] std::vector<std::vector<std::size_t>> best_references(
    const CalibratedLandmarks& landmarks,
    const std::vector<std::vector<std::vector<Score>>>& thresholds);

}  // namespace caos
