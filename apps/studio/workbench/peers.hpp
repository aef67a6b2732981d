#pragma once

#include <cstddef>
#include <memory>

#include "apps/studio/workbench/labeled_set.hpp"

namespace caos::studio {

/// The calibration scores that those of one image's patches are compared with. Where the guarantee
/// is for a random image of the pool, they weigh more or less by how many images the image's own
/// subject has (`pool_weights`).
class Peers {
 public:
  /// `new_images`: pool images of the image's subject, itself included.
  Peers(std::shared_ptr<const Calibrated> calibrated, std::size_t new_images);

  /// Those of one landmark, or joint ones. Requires a calibrated landmark.
  [[nodiscard]] std::shared_ptr<const SortedScores> of(std::size_t landmark,
                                                       bool simultaneous) const;

 private:
  [[nodiscard]] std::shared_ptr<const SortedScores> weighted(std::size_t landmark) const;

  std::shared_ptr<const Calibrated> calibrated_;
  ExampleWeights weights_{};                     ///< by image, in the order of their keys
  std::shared_ptr<const SortedScores> joint_{};  ///< with weights; null without
};

}  // namespace caos::studio
