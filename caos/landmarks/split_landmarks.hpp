#pragma once

#include <cstddef>
#include <optional>

#include "caos/coverage_law.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/split.hpp"

namespace caos {

/// The model for Split CAOS: each landmark is calibrated on the calibration images that have it,
/// and only the reference images are compared with new ones. Throws `invalid_input` if subjects
/// have several images, or if a landmark has fewer than k references or no calibration image.
[[nodiscard]] LandmarkModel split_landmarks(LandmarkModel model, const split::Partition& partition,
                                            std::size_t threads = 0);

/// Throws `invalid_input` if a pool is given and a labeled image lacks some landmark: how many of
/// the pool's images have it is unknown then.
void check_conditional(const LabeledPatches& labeled,
                       const std::optional<TrainingConditional>& conditional);

}  // namespace caos
