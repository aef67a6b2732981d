#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/scores.hpp"
#include "caos/vision/backbones/descriptor_lattice.hpp"
#include "caos/vision/gray_image.hpp"

// Labels that are finer than patches: cells of the working image. What describes a cell is read
// from what is kept of an image anyway, so that memory does not grow with the number of cells.

namespace caos {

/// What the vectors of an image's cells are read from, besides its patches.
struct CellSource {
  vision::PatchGrid patches{};  ///< how its patches lie
  vision::PointDescriptor descriptor = vision::PointDescriptor::interpolated;
  /// The working image without its padding; built-in descriptors are of these pixels, whose
  /// brightness is a whole number. Null where vectors are interpolated.
  std::shared_ptr<const vision::GrayImage> gray{};
};

/// Cells of this side over all of an image's patches.
[[nodiscard]] vision::PatchGrid cells_over(const vision::PatchGrid& patches, std::size_t side);

/// The center of a cell, in pixels of the working image.
[[nodiscard]] vision::Point middle_of_cell(const vision::PatchGrid& cells, Label cell);

/// The vectors at some points of the working image, unit rows [points, D]: between the centers of
/// patches bilinear, beyond the outermost as at them; built-in ones around the nearest corner of
/// pixels. `patches` are the image's, unit rows.
[[nodiscard]] Matrix<float> vectors_at(const CellSource& source, MatrixView<const float> patches,
                                       std::span<const vision::Point> points);

/// The vectors at the centers of the cells of one image, each read when it is first needed: the
/// bits of `vectors_at`. For one thread at a time; what it is given outlives it.
class CellVectors {
 public:
  CellVectors(const CellSource& source, MatrixView<const float> patches,
              const vision::PatchGrid& cells);

  /// A unit vector, valid as long as this.
  [[nodiscard]] const float* at(Label cell);

  /// How many were read so far.
  [[nodiscard]] std::size_t num_read() const { return rows_.size(); }

 private:
  void read(Label cell, std::span<float> values);

  const CellSource& source_;
  MatrixView<const float> patches_;
  vision::PatchGrid cells_;
  std::optional<vision::DescriptorLattice> lattice_{};  ///< made for the first cell
  std::vector<std::uint32_t> row_of_;
  std::deque<std::vector<float>> rows_{};
};

}  // namespace caos
