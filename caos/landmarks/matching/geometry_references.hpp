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
  };

  [[nodiscard]] const LabeledPatches& labeled() const { return labeled_; }
  [[nodiscard]] std::size_t num_columns() const { return columns_.size(); }
  [[nodiscard]] const Column& column(std::size_t c) const { return columns_[c]; }
  /// The numbers of an image's columns: from, and to but not including.
  [[nodiscard]] std::pair<std::size_t, std::size_t> columns_of(std::size_t image) const {
    return {starts_[image], starts_[image + 1]};
  }
  /// The vector of a column.
  [[nodiscard]] const float* patch(std::size_t c) const {
    return references_.patches.row(c).data();
  }
  /// Of all columns, the largest distance of a coarse row from the row.
  [[nodiscard]] double largest_error() const { return largest_error_; }

  [[nodiscard]] const AnchorPatches& anchors(std::size_t image) const { return *anchors_[image]; }
  /// Requires that the image has the landmark.
  [[nodiscard]] const LocalAnchors& landmark(std::size_t image, std::size_t task) const {
    return landmarks_[image][task];
  }
  [[nodiscard]] bool has(std::size_t image, std::size_t task) const {
    return labeled_.labels(image, task) != missing_label;
  }

 private:
  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::vector<Column> columns_;
  std::vector<std::size_t> starts_;  ///< by image, and their number
  double largest_error_ = 0;
  std::vector<std::unique_ptr<const AnchorPatches>> anchors_;
  std::vector<std::vector<LocalAnchors>> landmarks_;  ///< by image and task
};

}  // namespace caos
