#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/kernels/local_sums.hpp"
#include "caos/landmarks/geometry/patch_similarities.hpp"
#include "caos/landmarks/geometry/similarity_transform.hpp"
#include "caos/scores.hpp"

// The geometry score of patch y of image x under a landmark of reference image j:
//
//   s_j(x, y) = max(0, 1 - cos(e_x(y), e_j(landmark))) / sd + 3 min(d^2, 4),
//
// where sd is the standard deviation of the similarities of all patches of j with all of x (without
// one, the first term is 0) and d the distance in patches from the center of y to where the
// landmark of j is estimated to lie in x. A fixed function of j with its landmarks, x and y.

namespace caos {

/// The largest second term, of patches that are not near the estimate: d >= 2.
inline constexpr double far_term = 12;
inline constexpr double near_distance = 2;

/// 3 min(d^2, 4).
[[nodiscard]] constexpr double distance_term(double squared) {
  return squared < near_distance * near_distance ? 3 * squared : far_term;
}

/// max(0, 1 - similarity) / deviation.
[[nodiscard]] constexpr double descriptor_term(double similarity, double deviation) {
  const double lacking = 1 - similarity;
  return deviation > 0 && lacking > 0 ? lacking / deviation : 0;
}

/// A landmark's position in its image, in patches, and the patches around that correct where it
/// lies in others: those of biweight(squared distance of their center, 1.5) > 0.
struct LocalAnchors {
  LocalAnchors() = default;
  LocalAnchors(const vision::PatchGrid& grid, vision::Point at);

  vision::Point position{};
  std::vector<std::uint32_t> patches{};  ///< ascending
  std::vector<double> weights{};         ///< as many
};

/// How the places of one image correspond to those of another.
class GeometryEstimate {
 public:
  GeometryEstimate() = default;
  /// From votes of the patches of an image that has so many.
  GeometryEstimate(std::span<const PatchVote> votes, std::size_t num_patches, double deviation);

  /// The standard deviation of the similarities of all patches.
  [[nodiscard]] double deviation() const { return deviation_; }
  [[nodiscard]] const SimilarityTransform& transform() const { return transform_; }
  /// How much of the image takes part: the sum of final vote weights.
  [[nodiscard]] double support() const { return support_; }

  /// Where a landmark of the one image lies in the other: the transform of its position, plus the
  /// mean residual of the votes around, weighted by final vote weight times local weight and shrunk
  /// by 0.5 times the mean final weight of votes that have any.
  [[nodiscard]] vision::Point project(const LocalAnchors& landmark) const;
  /// The same of several landmarks at once.
  [[nodiscard]] std::vector<vision::Point> project(std::span<const LocalAnchors> landmarks) const;

 private:
  /// Final weight of a patch, that times its residual in x and in y, and nothing: four values are
  /// added at once.
  using Residual = std::array<double, kernels::local_values>;

  [[nodiscard]] vision::Point shifted(vision::Point position, const double* sum) const;

  double deviation_ = 0;
  SimilarityTransform transform_{};
  double shrinkage_ = 0;
  double support_ = 0;
  std::vector<Residual> residuals_{};  ///< by patch
};

/// Lets vote and fits, after comparing.
[[nodiscard]] GeometryEstimate estimate_geometry(PatchSimilarities& similarities);

/// Compares, lets vote and fits. `scratch` holds the similarities afterwards.
[[nodiscard]] GeometryEstimate estimate_geometry(const AnchorPatches& anchors,
                                                 const TargetPatches& target,
                                                 PatchSimilarities& scratch);

}  // namespace caos
