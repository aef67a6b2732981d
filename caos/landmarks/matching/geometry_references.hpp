#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "caos/landmarks/geometry/geometry_estimate.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {

/// Labeled images as references of the geometry score. Immutable; safe to share between threads.
class GeometryReferences {
 public:
  /// What it is given outlives it. Throws `invalid_input` where grids are not known.
  GeometryReferences(const LabeledPatches& labeled, const ReferencePatches& references,
                     std::size_t threads);

  /// A distinct vector that some landmarks of an image refer with.
  struct Column {
    std::size_t image = 0;
    std::size_t patch = 0;  ///< or cell
    std::size_t task = 0;   ///< a landmark that refers with it
  };

  [[nodiscard]] const LabeledPatches& labeled() const { return labeled_; }
  [[nodiscard]] std::size_t num_columns() const { return columns_.size(); }
  [[nodiscard]] const Column& column(std::size_t c) const { return columns_[c]; }
  /// At how many angles images are references: 1 where they are not rotated.
  [[nodiscard]] std::size_t num_rotations() const { return labeled_.rotations.size() + 1; }
  /// The patch of a column in its image at an angle, 0 being upright.
  [[nodiscard]] std::size_t patch_of(std::size_t c, std::size_t rotation) const;
  /// The numbers of an image's columns: from, and to but not including.
  [[nodiscard]] std::pair<std::size_t, std::size_t> columns_of(std::size_t image) const {
    return {starts_[image], starts_[image + 1]};
  }
  /// The embedding of a column at an angle.
  [[nodiscard]] const float* patch(std::size_t c, std::size_t rotation) const {
    const Matrix<float>& at =
        rotation == 0 ? references_.patches : references_.rotated[rotation - 1];
    return at.row(c).data();
  }
  /// Of all columns, the largest distance of a coarse row from the row.
  [[nodiscard]] double largest_error() const { return largest_error_; }

  [[nodiscard]] const AnchorPatches& anchors(std::size_t image, std::size_t rotation) const {
    return *anchors_[image * num_rotations() + rotation];
  }
  /// Where the landmarks of an image lie in another, given the estimate at an angle: `places` are
  /// by task, and those of landmarks that it does not have stay as they are.
  void place(const GeometryEstimate& estimate, std::size_t image, std::size_t rotation,
             std::span<vision::Point> places) const;
  [[nodiscard]] bool has(std::size_t image, std::size_t task) const {
    return labeled_.labels(image, task) != missing_label;
  }

 private:
  /// The landmarks of an image at an angle. Several may be at the same place, as in arrays.
  struct Landmarks {
    std::vector<LocalAnchors> distinct{};
    std::vector<std::uint32_t> of_task{};  ///< in `distinct`
  };

  void add_rotation(std::size_t image, std::size_t rotation);

  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::vector<Column> columns_;
  std::vector<std::size_t> starts_;  ///< by image, and their number
  double largest_error_ = 0;
  std::vector<std::unique_ptr<const AnchorPatches>> anchors_;  ///< by image and rotation
  std::vector<Landmarks> landmarks_;                           ///< by image and rotation
};

/// How the places of a labeled image correspond to those of another, and at which angle of the
/// labeled one.
struct RotatedEstimate {
  GeometryEstimate estimate{};
  std::size_t rotation = 0;
};

/// The estimates of one reference image. One thread's scratch space, used again and again.
class RotationChoice {
 public:
  /// The estimate at the angle of the largest support; of equal ones at the earliest.
  [[nodiscard]] RotatedEstimate best(const GeometryReferences& references, std::size_t image,
                                     const TargetPatches& target);

  /// The similarities of all patches at that angle.
  [[nodiscard]] PatchSimilarities& similarities() { return best_; }

 private:
  PatchSimilarities best_;
  PatchSimilarities other_;
};

}  // namespace caos
