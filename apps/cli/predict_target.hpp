#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/predictions/image_prediction.hpp"
#include "caos/engine/pool_predictors.hpp"

/// Which new image a prediction's guarantee is for, image by image.
namespace caos::cli {

/// What is remarked of every image: nothing where the head of a JSON file says it for all.
[[nodiscard]] std::vector<std::string> remark_keys(const LandmarkModel& model, bool csv);

/// The guarantee of one image and what it is for, under those keys.
[[nodiscard]] std::vector<predictions::Remark> remarks_of(const LandmarkModel& model,
                                                          const PoolPredictors& predictors,
                                                          const LandmarkPredictOptions& options,
                                                          const std::string& image);

/// What a user should hear: of an alpha that too few labeled images support, and of images that
/// have no guarantee.
[[nodiscard]] std::vector<std::string> target_warnings(const LandmarkModel& model,
                                                       const PoolPredictors& predictors,
                                                       const Miscoverage& alpha,
                                                       std::span<const std::string> images);

}  // namespace caos::cli
