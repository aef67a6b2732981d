#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "caos/landmarks/evaluation/landmark_methods.hpp"
#include "caos/landmarks/evaluation/landmark_tally.hpp"

namespace caos {

/// Finds the sets of test images by every method, and what they are worth. Safe to share between
/// threads.
class ImageEvaluator {
 public:
  virtual ~ImageEvaluator() = default;

  /// How many images it would best be given at once.
  [[nodiscard]] virtual std::size_t images_at_once() const { return 1; }

  /// Images first, ..., last - 1.
  virtual void evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const = 0;
};

/// By all scores of an image: for any score.
[[nodiscard]] std::unique_ptr<ImageEvaluator> exact_evaluator(const CalibratedLandmarks& landmarks,
                                                              const TestPatches& test);

/// Whether queries are filtered before they are compared. That changes the time and nothing else.
struct Filtering {
  /// So many directions, 0 for no filter; by a trial if not given. Only where the methods are CAOS
  /// and Full CAOS.
  std::optional<std::size_t> num_directions{};
};

/// By coarse similarities, and by scores only where those leave something open: for cosine. The
/// same outcomes.
[[nodiscard]] std::unique_ptr<ImageEvaluator> coarse_evaluator(const CalibratedLandmarks& landmarks,
                                                               const TestPatches& test,
                                                               Filtering filtering = {});

/// The patches of a test image. Throws `invalid_input` unless they have the labelled images'
/// dimension and hold the image's labels.
[[nodiscard]] Matrix<float> checked_image(const CalibratedLandmarks& landmarks,
                                          const TestPatches& test, std::size_t x);

}  // namespace caos
