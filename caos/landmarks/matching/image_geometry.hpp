#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/landmarks/matching/cell_pool.hpp"
#include "caos/landmarks/matching/geometry_references.hpp"
#include "caos/landmarks/matching/label_bounds.hpp"
#include "caos/landmarks/matching/set_decider.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Where the landmarks of every reference are estimated to lie in one image, and what its labels,
/// patches or cells, score: exactly, and within bounds that need no descriptors. Distances are in
/// patches. For one thread at a time: vectors of cells are read when they are first needed.
class ImageGeometry {
 public:
  /// Compares with the reference images in `used` only. `references` and `image` outlive it.
  ImageGeometry(const GeometryReferences& references, std::span<const std::size_t> used,
                const QueryImage& image);

  struct Bounds {
    double low = 0;
    double high = 0;
  };

  [[nodiscard]] std::size_t num_labels() const { return grid_.size(); }
  /// How much of a reference's image takes part in its estimate (`GeometryEstimate::support`).
  [[nodiscard]] double support(std::uint32_t column) const {
    return supports_[references_.column(column).image];
  }
  /// How the labels lie, and their side.
  [[nodiscard]] const vision::PatchGrid& grid() const { return grid_; }
  [[nodiscard]] double side() const { return side_; }
  [[nodiscard]] std::size_t dimension() const { return patches_.cols(); }
  [[nodiscard]] bool has_cells() const { return cells_ != nullptr; }
  /// Requires cells.
  [[nodiscard]] CellVectors& cell_vectors() const { return *cells_; }
  [[nodiscard]] PlacedReference placed(std::size_t task, std::uint32_t column) const {
    return {.place = place(task, column),
            .deviation = deviations_[references_.column(column).image],
            .vector = references_.patch(column, rotation(column))};
  }
  [[nodiscard]] vision::Point center(Label label) const {
    const vision::Point at = center_of(grid_, label);
    return {.x = at.x * side_, .y = at.y * side_};
  }
  /// Where a landmark of a column's image lies.
  [[nodiscard]] vision::Point place(std::size_t task, std::uint32_t column) const {
    return places_(references_.column(column).image, task);
  }
  [[nodiscard]] double squared_distance_to(std::size_t task, std::uint32_t column,
                                           Label patch) const {
    return squared_distance(center(patch), place(task, column));
  }
  /// What bounds the scores of all patches under a reference. Requires patches.
  [[nodiscard]] kernels::PlacedTerms terms(std::size_t task, std::uint32_t column) const {
    const vision::Point at = place(task, column);
    return {.x = at.x,
            .y = at.y,
            .similarities = similarities_.data() + column * stride_,
            .inverse = inverses_[column]};
  }
  /// Of coarse similarities, in units.
  [[nodiscard]] std::int32_t error() const { return error_; }
  /// Bounds of the score of a label at this squared distance. Of cells, no similarities are known
  /// before their vectors are read, and the upper one is +infinity.
  [[nodiscard]] Bounds bounds(std::uint32_t column, Label patch, double squared) const;
  [[nodiscard]] Bounds bounds(std::size_t task, std::uint32_t column, Label patch) const {
    return bounds(column, patch, squared_distance_to(task, column, patch));
  }
  [[nodiscard]] Score score(std::size_t task, std::uint32_t column, Label patch) const {
    Score score = 0;
    scores(task, {&column, 1}, patch, &score);
    return score;
  }
  /// The same under several references; `out` takes as many.
  void scores(std::size_t task, std::span<const std::uint32_t> columns, Label patch,
              Score* out) const;
  /// At which angle a column's image is compared with.
  [[nodiscard]] std::size_t rotation(std::uint32_t column) const {
    return rotations_[references_.column(column).image];
  }

 private:
  [[nodiscard]] double descriptor_bound(std::uint32_t column, int similarity) const;

  const GeometryReferences& references_;
  MatrixView<const float> patches_;
  vision::PatchGrid grid_;
  double side_ = 1;
  std::unique_ptr<CellVectors> cells_{};  ///< null where labels are patches
  std::int32_t error_ = 0;                ///< of coarse similarities, in units
  std::vector<std::size_t> rotations_;    ///< by reference image
  std::vector<double> deviations_;        ///< by reference image, as are supports
  std::vector<double> supports_;
  std::vector<double> inverses_;  ///< by column: of its image's deviation; 0 without one
  Matrix<vision::Point> places_;  ///< [reference images, tasks]
  std::size_t stride_ = 0;
  AlignedBuffer<std::int16_t> similarities_;  ///< [columns, stride], in units; of cells none
};

/// The pool of one landmark in one image.
class GeometryPool {
 public:
  GeometryPool(const ImageGeometry& image, std::size_t task,
               std::span<const std::uint32_t> columns);

  [[nodiscard]] std::size_t num_labels() const { return image_.num_labels(); }
  /// Bounds of the sums of the k smallest scores.
  [[nodiscard]] LabelBounds bounds(std::size_t k) const;

  /// The k smallest scores of a label, ascending; of equal ones the earlier references.
  [[nodiscard]] std::vector<Neighbor> nearest(Label label, std::size_t k) const {
    return cells_ ? cells_->nearest(label, k) : nearest_of_patch(label, k);
  }

  /// Where most of the landmark's references that fit best have it: the median of each coordinate
  /// over the five of the largest support.
  [[nodiscard]] vision::Point median_place() const;

  /// At which angle the image at a position of the pool is compared with.
  [[nodiscard]] std::size_t rotation(std::size_t position) const {
    return image_.rotation(columns_[position]);
  }

 private:
  [[nodiscard]] std::vector<Neighbor> nearest_of_patch(Label patch, std::size_t k) const;

  const ImageGeometry& image_;
  std::size_t task_;
  std::span<const std::uint32_t> columns_;
  std::optional<CellPool> cells_{};  ///< where labels are cells
};

}  // namespace caos
