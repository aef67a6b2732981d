#pragma once

#include <span>
#include <string>

#include "apps/cli/program.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/pool_predictors.hpp"

namespace caos::cli {

/// What a JSON file of predictions says before the first image. `file` is the model's. With a pool
/// a landmark is feasible if it is so for new subjects of every size; images say it of their own.
[[nodiscard]] Json prediction_head(const std::string& file, const LandmarkModel& model,
                                   const PoolPredictors& predictors,
                                   const LandmarkPredictOptions& options);

/// The guarantee of all landmarks, which is that of the weakest, what it is for and under which
/// assumption. With a pool images may differ: then how many of them have which.
[[nodiscard]] std::string guarantee_text(const LandmarkModel& model,
                                         const PoolPredictors& predictors,
                                         const LandmarkPredictOptions& options,
                                         std::span<const std::string> images);

}  // namespace caos::cli
