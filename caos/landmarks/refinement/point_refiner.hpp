#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/refinement/shape_prior.hpp"
#include "caos/scores.hpp"
#include "caos/vision/gray_image.hpp"

namespace caos {

/// What points of new images are refined with: labeled points in pixels of their working images,
/// and the pixels around them.
struct LabeledTemplates {
  std::vector<Shape> points{};  ///< by image
  /// [images * landmarks, template_size], images one after another; 0 where a landmark is absent.
  Matrix<std::uint8_t> pixels{};
  std::size_t patch_size = 16;

  [[nodiscard]] std::span<const std::uint8_t> of(std::size_t image, std::size_t landmark) const {
    return pixels.row(image * points[image].size() + landmark);
  }
};

/// A new image whose points are refined.
struct ImagePixels {
  const vision::GrayImage& gray;  ///< the working image without padding
  vision::PatchGrid grid{};       ///< over it
};

/// Patches of padding: those that hold no pixel.
[[nodiscard]] std::vector<Label> patches_beyond(const ImagePixels& pixels);

/// A landmark's place as patches tell it.
struct PatchProposal {
  Label patch = 0;
  vision::Point point{};  ///< in that patch, in pixels of the working image
};

/// The embedding of the patch that holds a landmark in a labeled image that has it.
using ReferenceVector = std::function<const float*(std::size_t image, std::size_t landmark)>;

/// What embeddings of patches say: unit rows of the new image, and of references.
struct PatchEvidence {
  MatrixView<const float> patches{};
  std::span<const Label> impossible{};  ///< patches that hold no landmark
  ReferenceVector reference{};
  Indices references{};  ///< the labeled images that may be used
};

/// Moves proposals from patches to points, with the pixels of labeled images:
///
/// 1. A proposal more than a patch from where the five labeled shapes nearest to all proposals
///    would have it is placed again, twice: in the patch y near these places where v(y) / (v_0 +
///    0.01) + 0.1 (d / patch size)^2 is smallest. v(y) is the sum of the three smallest 1 - cosine
///    over references, v_0 that of the first proposal, d the distance from the nearest place.
/// 2. The eight references whose patches are most similar are matched with the pixels around
///    (`correlate`), with a weak preference for the proposal.
/// 3. Where four landmarks or more have points, the match is repeated with a preference for where
///    labeled shapes let one expect the landmark (`ShapePrior::expected`). It is taken to be there
///    where at most a quarter of the references agree on a position.
///
/// A heuristic without a guarantee; docs/project/decisions/0066 has the figures. The result has the
/// same bits on every machine. Immutable; safe to share between threads.
class PointRefiner {
 public:
  explicit PointRefiner(LabeledTemplates labeled);

  [[nodiscard]] const LabeledTemplates& labeled() const { return labeled_; }

  /// By landmark; nothing where there is no proposal or no reference. Points stay in the image.
  [[nodiscard]] std::vector<std::optional<vision::Point>> refine(
      const ImagePixels& image, std::span<const std::optional<PatchProposal>> proposals,
      const PatchEvidence& evidence) const;

 private:
  LabeledTemplates labeled_;
  ShapePrior shapes_;
};

}  // namespace caos
