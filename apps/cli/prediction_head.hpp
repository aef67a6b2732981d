#pragma once

#include <string>

#include "caos/engine/landmark_model.hpp"
#include "caos/engine/landmark_predictor.hpp"
#include "program.hpp"

namespace caos::cli {

/// What a JSON file of predictions says before the first image. `file` is the model's.
[[nodiscard]] Json prediction_head(const std::string& file, const LandmarkModel& model,
                                   const LandmarkPredictor& predictor,
                                   const LandmarkPredictOptions& options);

/// The guarantee of all landmarks, which is that of the weakest, what it is for and under which
/// assumption.
[[nodiscard]] std::string guarantee_text(const LandmarkModel& model,
                                         const LandmarkPredictor& predictor,
                                         const LandmarkPredictOptions& options);

}  // namespace caos::cli
