#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/patch_votes.hpp"
#include "caos/landmarks/geometry/similarity_transform.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The center of a patch, in patches from the upper left corner.
[[nodiscard]] inline vision::Point center_of(const vision::PatchGrid& grid, std::size_t patch) {
  return {.x = static_cast<double>(patch % grid.columns) + 0.5,
          .y = static_cast<double>(patch / grid.columns) + 0.5};
}

/// All patches of a reference image, ready to be compared. Immutable; safe to share.
class AnchorPatches {
 public:
  /// `patches` are unit rows. Throws `invalid_input` unless the grid has as many.
  AnchorPatches(MatrixView<const float> patches, const vision::PatchGrid& grid);

  [[nodiscard]] const vision::PatchGrid& grid() const { return grid_; }
  [[nodiscard]] const CoarseReferences& coarse() const { return coarse_; }

 private:
  vision::PatchGrid grid_;
  CoarseReferences coarse_;
};

/// All patches of the image that landmarks are looked for in. Immutable; safe to share.
class TargetPatches {
 public:
  /// As of `AnchorPatches`.
  TargetPatches(MatrixView<const float> patches, const vision::PatchGrid& grid);

  [[nodiscard]] const vision::PatchGrid& grid() const { return grid_; }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t num_groups() const;
  [[nodiscard]] const std::int16_t* group(std::size_t g) const;
  /// How far the coarse rows are from the rows at most.
  [[nodiscard]] double largest_error() const { return largest_error_; }

 private:
  vision::PatchGrid grid_;
  std::size_t dimension_;
  double largest_error_ = 0;
  AlignedBuffer<std::int16_t> groups_;
};

/// The similarities of all patches of two images in whole numbers, units of 1 / coarse_one, and how
/// they vote. One thread's scratch space, used again and again.
///
/// With C[p, u] the similarity of patch p of the reference and patch u of the target, patch p votes
/// for q = argmax over u of 2 C[p, u] - max over p' of C[p', u], the first of equal ones: a match
/// that is good both ways. Its weight is min(c - best of row p outside the 3 x 3 around q, c - best
/// of column q outside the 3 x 3 around p) with c = C[p, q]; without a patch outside the best is
/// `coarse_least`. It votes for the center of q, moved in x and y by the vertex of the parabola
/// through the neighbors, at most half a patch, where q has both and the parabola has a maximum.
class PatchSimilarities {
 public:
  /// Both outlive the next calls.
  void compare(const AnchorPatches& anchors, const TargetPatches& target);

  /// Exchanges the two images: what comparing the target with the reference would give, without
  /// comparing them again.
  void exchange();

  /// How the reference's patches lie.
  [[nodiscard]] const vision::PatchGrid& reference_grid() const { return from_; }

  /// The votes of positive weight, by patch ascending. `parabola`: whether to move centers.
  [[nodiscard]] std::vector<PatchVote> votes(bool parabola = true);

  /// The standard deviation of all similarities, where 1 is a similarity of 1.
  [[nodiscard]] double deviation() const { return deviation_; }

  /// The similarities of one patch of the reference with all of the target.
  void copy_row(std::size_t patch, std::span<std::int16_t> out) const;

 private:
  void scan();
  [[nodiscard]] kernels::VoteTable table();
  [[nodiscard]] std::int16_t at(std::size_t patch, std::size_t of_target) const;
  [[nodiscard]] std::int16_t best_of_column(std::size_t column, std::size_t patch,
                                            std::int16_t enough) const;
  [[nodiscard]] double vertex(std::size_t patch, std::size_t match, std::size_t step) const;
  [[nodiscard]] vision::Point moved_center(std::size_t patch, std::size_t match) const;

  vision::PatchGrid from_{};
  vision::PatchGrid to_{};
  std::size_t stride_ = 0;
  double deviation_ = 0;
  AlignedBuffer<std::int16_t> values_;
  AlignedBuffer<std::int16_t> exchanged_;      ///< room for `exchange`
  AlignedBuffer<std::int16_t> row_maxima_;     ///< [grid rows of the reference, padded columns]
  AlignedBuffer<std::int16_t> column_maxima_;  ///< [padded columns]
  std::vector<kernels::VoteMatch> matches_;
};

}  // namespace caos
