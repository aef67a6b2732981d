#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/kernels/descriptor.hpp"
#include "caos/scores.hpp"
#include "caos/vision/backbones/builtin_backbone.hpp"
#include "caos/vision/backbones/orientation_energy.hpp"

// The second half of the built-in descriptor; not for users of the library.
namespace caos::vision {

/// A weighted mean along one axis, of neighboring pixels.
struct BoxWindow {
  std::size_t first = 0;
  std::vector<float> weights{};

  [[nodiscard]] std::size_t end() const { return first + weights.size(); }
};

/// Built-in descriptors around the centers of all cells of a grid over one image. Cells of 16
/// pixels are the patches. Immutable; safe to share between threads.
class DescriptorLattice {
 public:
  /// Reads all of the energy. Requires cells of an even size that cover it.
  DescriptorLattice(OrientationEnergy& energy, const PatchGrid& cells);

  /// One descriptor. Requires as many values as the version has.
  void describe(std::size_t column, std::size_t row, BuiltinBackbone::Version version,
                std::span<float> values) const;

 private:
  /// Where the histograms of all cells along one axis are. Neighboring cells share points: cell p
  /// uses the points p * per_cell + i * stride for i = 0..3.
  struct Axis {
    Axis(std::size_t cells, std::size_t side, std::size_t box, std::size_t length);

    std::size_t per_cell;
    std::size_t stride;
    std::vector<BoxWindow> points{};

    [[nodiscard]] std::size_t point(std::size_t cell, std::size_t i) const {
      return cell * per_cell + i * stride;
    }
  };

  /// The histograms over boxes of one size. Rows are averaged along x as they come, then along y,
  /// so that no more than a fraction of the energy is ever kept.
  class Scale {
   public:
    Scale(const OrientationEnergy& energy, const PatchGrid& cells, std::size_t box);

    // Windows point into the axis, which moves with this object but is not copied along.
    Scale(Scale&&) = default;
    Scale(const Scale&) = delete;
    Scale& operator=(const Scale&) = delete;
    Scale& operator=(Scale&&) = delete;
    ~Scale() = default;

    /// Takes a row of pixels [width, 8].
    void add_row(std::size_t y, std::span<const float> energy);
    void average_rows();
    /// The 4 x 4 histograms around a cell.
    void read_cell(std::size_t column, std::size_t row, float* values) const;

   private:
    Axis across_;
    Axis down_;
    std::vector<kernels::WeightedWindow> windows_{};  // those of across_
    Matrix<float> rows_;                              // [height, points across * 8]
    Matrix<float> points_;                            // [points down, points across * 8]
  };

  std::vector<Scale> scales_{};
};

/// Built-in descriptors around single points of one image: where a cell has its center, the bits of
/// `DescriptorLattice`. Immutable; safe to share between threads.
class DescriptorPoints {
 public:
  /// Keeps the energy of all pixels.
  explicit DescriptorPoints(OrientationEnergy energy);

  /// The descriptor around the corner of pixels that is nearest to the point.
  void describe(Point point, BuiltinBackbone::Version version, std::span<float> values) const;

 private:
  void read_scale(std::ptrdiff_t x, std::ptrdiff_t y, std::size_t box, float* values) const;

  std::size_t width_;
  Matrix<float> energy_;  ///< [height, width * 8]
};

}  // namespace caos::vision
