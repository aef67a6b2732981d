#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "caos/landmarks/refinement/point_refiner.hpp"

// Which patch a landmark is proposed in, given all landmarks; not for users of the library.
namespace caos {

/// A reference and how unlike its patch is: 1 - cosine.
struct SimilarReference {
  double score = 0;
  std::size_t image = 0;
};

/// The references of a landmark by how similar their patches are to patch `y`, most similar first;
/// of equal ones the earlier image first.
[[nodiscard]] std::vector<SimilarReference> similar_references(const PatchEvidence& evidence,
                                                               const ShapePrior& shapes,
                                                               std::size_t landmark, Label y);

/// Step 1 of `PointRefiner`.
[[nodiscard]] std::vector<std::optional<PatchProposal>> consistent_proposals(
    const vision::PatchGrid& grid, std::vector<std::optional<PatchProposal>> proposals,
    const PatchEvidence& evidence, const ShapePrior& shapes);

/// The points of proposals.
[[nodiscard]] Shape shape_of(std::span<const std::optional<PatchProposal>> proposals);

/// Distances of shapes count up to this many patches.
inline constexpr double patches_that_count = 4;

}  // namespace caos
