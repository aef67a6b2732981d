#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/landmarks/matching/geometry_references.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Where the landmarks of every reference are estimated to lie in one image, and what its patches
/// score: exactly, and within bounds that need no descriptors.
class ImageGeometry {
 public:
  /// Compares with the reference images in `used` only. `references` and `patches` outlive it.
  ImageGeometry(const GeometryReferences& references, std::span<const std::size_t> used,
                MatrixView<const float> patches, const vision::PatchGrid& grid);

  struct Bounds {
    double low = 0;
    double high = 0;
  };

  [[nodiscard]] std::size_t num_patches() const { return grid_.size(); }
  [[nodiscard]] const vision::PatchGrid& grid() const { return grid_; }
  /// Where a landmark of a column's image lies.
  [[nodiscard]] vision::Point place(std::size_t task, std::uint32_t column) const {
    return places_(references_.column(column).image, task);
  }
  [[nodiscard]] double squared_distance_to(std::size_t task, std::uint32_t column,
                                           Label patch) const {
    return squared_distance(center_of(grid_, patch), place(task, column));
  }
  /// Bounds of the score of a patch at this squared distance.
  [[nodiscard]] Bounds bounds(std::uint32_t column, Label patch, double squared) const;
  /// The lower one alone.
  [[nodiscard]] double low(std::uint32_t column, Label patch, double squared) const;
  [[nodiscard]] Bounds bounds(std::size_t task, std::uint32_t column, Label patch) const {
    return bounds(column, patch, squared_distance_to(task, column, patch));
  }
  [[nodiscard]] Score score(std::size_t task, std::uint32_t column, Label patch) const;

 private:
  [[nodiscard]] double descriptor_bound(std::uint32_t column, int similarity) const;

  const GeometryReferences& references_;
  MatrixView<const float> patches_;
  vision::PatchGrid grid_;
  std::int32_t error_ = 0;             ///< of coarse similarities, in units
  std::vector<double> deviations_;     ///< by reference image
  std::vector<double> inverses_;       ///< by column: of its image's deviation; 0 without one
  Matrix<vision::Point> places_;       ///< [reference images, tasks]
  Matrix<std::int16_t> similarities_;  ///< [columns, patches], in units
};

/// The pool of one landmark in one image.
class GeometryPool {
 public:
  GeometryPool(const ImageGeometry& image, std::size_t task, std::span<const std::uint32_t> columns)
      : image_(image), task_(task), columns_(columns) {}

  /// By patch, lower bounds on the k smallest scores, ascending: [patches, k]. Their sum is a lower
  /// bound on the sum of the k smallest.
  [[nodiscard]] Matrix<double> least(std::size_t k) const;

  /// The k smallest scores of a patch, ascending; of equal ones the earlier references.
  [[nodiscard]] std::vector<Neighbor> nearest(Label patch, std::size_t k) const;

 private:
  const ImageGeometry& image_;
  std::size_t task_;
  std::span<const std::uint32_t> columns_;
};

/// A sum of lower bounds, a little smaller than any rounding could make it.
[[nodiscard]] double least_sum(std::span<const double> bounds);

}  // namespace caos
