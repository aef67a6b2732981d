#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "apps/studio/workbench/labeled_set.hpp"
#include "caos/landmarks/refinement/point_refiner.hpp"

namespace caos::studio {

/// Where a landmark is proposed: a label, which is a patch or a cell, and a place in it; or where
/// the score estimates it, in patches.
struct ProposedPlace {
  Label label = 0;
  Offset offset{};
  std::optional<vision::Point> estimate{};
};

/// The proposed point where points are not refined, in pixels of the working image.
[[nodiscard]] vision::Point unrefined_point(const ProposedPlace& place, const Embedding& image);

/// Moves proposals of a project from patches to points, with the pixels and shapes of its
/// calibrating images (`PointRefiner`). Immutable.
class ProposalRefiner {
 public:
  /// `embedding_of` gives those of calibrating images, which are copied from.
  ProposalRefiner(const Calibrated& calibrated, const std::function<Embedding(Id)>& embedding_of);

  /// The number of the calibration.
  [[nodiscard]] std::uint64_t calibration() const { return calibration_; }

  /// By landmark, in pixels of the working image; nothing where nothing is proposed, or pixels are
  /// not known. Images of `left_out` are not used.
  [[nodiscard]] std::vector<std::optional<vision::Point>> refine(
      const Embedding& image, std::span<const std::optional<ProposedPlace>> places,
      std::span<const Id> left_out) const;

 private:
  [[nodiscard]] Indices references(std::span<const Id> left_out) const;

  std::uint64_t calibration_;
  std::vector<KeyedImage> images_{};
  std::optional<PointRefiner> refiner_{};  ///< nothing where pixels are not known
};

}  // namespace caos::studio
