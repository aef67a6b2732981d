#include "caos/landmarks/predict_stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/error.hpp"

namespace caos {
namespace {

/// Images that were embedded but not predicted. Filled from any thread.
class Failures {
 public:
  void add(std::size_t index, std::string reason) {
    const std::lock_guard lock(mutex_);
    reasons_.emplace(index, std::move(reason));
  }

  [[nodiscard]] bool contain(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return reasons_.contains(index);
  }

  /// These and others, in order.
  [[nodiscard]] std::vector<FailedImage> with(std::vector<FailedImage> others) const {
    for (const auto& [index, reason] : reasons_) others.push_back({index, reason});
    std::ranges::sort(others, {}, &FailedImage::index);
    return others;
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::string> reasons_;
};

}  // namespace

std::vector<Label> padding_of(const vision::Frame& frame) {
  std::vector<Label> padding;
  for (Label y = 0; y < frame.grid.size(); ++y) {
    const vision::Bounds bounds = frame.patch_bounds(y);
    if (bounds.left == bounds.right || bounds.top == bounds.bottom) padding.push_back(y);
  }
  return padding;
}

std::vector<FailedImage> predict_images(const PatchSource& source,
                                        std::span<const std::string> files,
                                        const PredictorOf& predictor_of,
                                        const std::function<void(PredictedImage&&)>& work,
                                        const std::function<void(std::size_t index)>& take) {
  Failures failures;
  const auto predict = [&](EmbeddedImage& image) {
    PredictedImage predicted{.index = image.index, .frame = image.frame};
    try {
      predicted.landmarks =
          predictor_of(image.index).predict(image.patches.view(), padding_of(image.frame));
    } catch (const Error& error) {
      return failures.add(image.index, fmt::format("{}: {}", files[image.index], error.what()));
    }
    image.patches = {};  // others wait for the memory, this image only for its turn
    work(std::move(predicted));
  };
  const auto hand_on = [&](const EmbeddedImage& image) {
    if (!failures.contain(image.index)) take(image.index);
  };
  return failures.with(source.stream(files, {.work = predict, .take = hand_on}));
}

}  // namespace caos
