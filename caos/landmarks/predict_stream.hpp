#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

/// The predictions for one image file.
struct PredictedImage {
  std::size_t index = 0;  ///< among the files given
  vision::Frame frame{};
  std::vector<LandmarkPrediction> landmarks{};
};

/// Patches that hold nothing of the image: no landmark can be there.
[[nodiscard]] std::vector<Label> padding_of(const vision::Frame& frame);

/// Who predicts which of the files.
using PredictorOf = std::function<const LandmarkPredictor&(std::size_t index)>;

/// Predicts image files: while some are scored, others are read, decoded and embedded, in bounded
/// memory (`stream_images`). `work` is called with each on any thread, many at once, then `take`
/// with its index, in order and on the calling thread. Files without a prediction are returned, in
/// order, with the reason.
[[nodiscard]] std::vector<FailedImage> predict_images(
    const PatchSource& source, std::span<const std::string> files, const PredictorOf& predictor_of,
    const std::function<void(PredictedImage&&)>& work,
    const std::function<void(std::size_t index)>& take);

/// As `predict_images`, for work with a result: what `work` makes of an image goes to `take`.
template <typename Result>
[[nodiscard]] std::vector<FailedImage> predict_stream(
    const PatchSource& source, std::span<const std::string> files, const PredictorOf& predictor_of,
    const std::function<Result(PredictedImage&&)>& work,
    const std::function<void(std::size_t index, Result&&)>& take) {
  std::mutex mutex;
  std::map<std::size_t, Result> results;  // no more than there are images on their way
  const auto keep = [&](PredictedImage&& image) {
    const std::size_t index = image.index;
    Result result = work(std::move(image));
    const std::lock_guard lock(mutex);
    results.emplace(index, std::move(result));
  };
  const auto hand_on = [&](std::size_t index) {
    auto node = [&] {
      const std::lock_guard lock(mutex);
      return results.extract(index);
    }();
    take(index, std::move(node.mapped()));
  };
  return predict_images(source, files, predictor_of, keep, hand_on);
}

/// The same with one predictor for all.
template <typename Result>
[[nodiscard]] std::vector<FailedImage> predict_stream(
    const PatchSource& source, std::span<const std::string> files,
    const LandmarkPredictor& predictor, const std::function<Result(PredictedImage&&)>& work,
    const std::function<void(std::size_t index, Result&&)>& take) {
  const PredictorOf always = [&](std::size_t) -> const LandmarkPredictor& { return predictor; };
  return predict_stream<Result>(source, files, always, work, take);
}

}  // namespace caos
