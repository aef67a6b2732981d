#include "caos/landmarks/predict_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"

namespace caos {

std::vector<Label> padding_of(const vision::Frame& frame) {
  std::vector<Label> padding;
  for (Label y = 0; y < frame.grid.size(); ++y) {
    const vision::Bounds bounds = frame.patch_bounds(y);
    if (bounds.left == bounds.right || bounds.top == bounds.bottom) padding.push_back(y);
  }
  return padding;
}

std::vector<FailedImage> predict_stream(const PatchSource& source,
                                        std::span<const std::string> files,
                                        const PredictorOf& predictor_of,
                                        const PredictionVisitor& visitor) {
  std::vector<FailedImage> not_predicted;
  const auto predict = [&](EmbeddedImage&& image) -> std::function<void()> {
    const std::size_t index = image.index;
    std::vector<LandmarkPrediction> landmarks;
    try {
      const Matrix<float> patches = std::exchange(image.patches, {});
      landmarks =
          predictor_of(index).predict(patches.view(), padding_of(image.frame), image.frame.grid,
                                      &image.gray, image.cells ? &*image.cells : nullptr);
    } catch (const Error& error) {
      return [&, index, reason = fmt::format("{}: {}", files[index], error.what())] {
        not_predicted.push_back({index, reason});
      };
    }
    return visitor(std::move(image), std::move(landmarks));
  };
  std::vector<FailedImage> failed = source.stream(files, predict);
  failed.insert(failed.end(), not_predicted.begin(), not_predicted.end());
  std::ranges::sort(failed, {}, &FailedImage::index);
  return failed;
}

}  // namespace caos
