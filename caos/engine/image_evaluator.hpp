#pragma once

#include <cstddef>
#include <memory>

#include "caos/engine/landmark_methods.hpp"
#include "caos/engine/landmark_tally.hpp"

namespace caos {

/// Finds the sets of test images by every method, and what they are worth. Safe to share between
/// threads.
class ImageEvaluator {
 public:
  virtual ~ImageEvaluator() = default;

  /// Images first, ..., last - 1.
  virtual void evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const = 0;
};

/// By all scores of an image: for any score.
[[nodiscard]] std::unique_ptr<ImageEvaluator> exact_evaluator(const CalibratedLandmarks& landmarks,
                                                              const TestPatches& test);

/// By coarse similarities, and by scores only where those leave something open: for cosine. The
/// same outcomes.
[[nodiscard]] std::unique_ptr<ImageEvaluator> coarse_evaluator(const CalibratedLandmarks& landmarks,
                                                               const TestPatches& test);

/// The patches of a test image. Throws `invalid_input` unless they have the labelled images'
/// dimension and hold the image's labels.
[[nodiscard]] Matrix<float> checked_image(const CalibratedLandmarks& landmarks,
                                          const TestPatches& test, std::size_t x);

}  // namespace caos
