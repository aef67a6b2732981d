#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

/// Patches that contain nothing of the image: no landmark can be there.
[[nodiscard]] std::vector<Label> padding_of(const vision::Frame& frame);

/// The predictor of each of the files.
using PredictorOf = std::function<const LandmarkPredictor&(std::size_t index)>;

/// What becomes of a predicted image, which comes without its patches: as `ImageVisitor`.
using PredictionVisitor = std::function<std::function<void()>(
    EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks)>;

/// Predicts image files: while some are scored, others are read, decoded and embedded, in bounded
/// memory (`stream_images`). Files without a prediction are returned, in order, with the reason.
[[nodiscard]] std::vector<FailedImage> predict_stream(const PatchSource& source,
                                                      std::span<const std::string> files,
                                                      const PredictorOf& predictor_of,
                                                      const PredictionVisitor& visitor);

}  // namespace caos
