#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/predictions/image_prediction.hpp"
#include "caos/landmarks/pool_predictors.hpp"

/// Which new image a prediction's guarantee is for, image by image.
namespace caos::cli {

/// What is remarked of every image: in CSV always what holds, in JSON only with a pool, where
/// images differ; the head of the file says it otherwise.
[[nodiscard]] std::vector<std::string> remark_keys(const LandmarkModel& model, bool csv);

/// The guarantee of one image, what it is for and rests on, and with a pool for which landmarks
/// alpha is infeasible, under those keys.
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
