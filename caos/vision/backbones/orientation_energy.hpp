#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/scores.hpp"
#include "caos/vision/gray_image.hpp"

// The first half of the built-in descriptor; not for users of the library.
namespace caos::vision {

/// How strongly brightness rises into each of 8 directions, pixel by pixel: direction d points
/// d * 45 degrees from right toward down. Only additions, products, quotients and square roots in
/// a fixed order, so all machines give the same bits.
class OrientationEnergy {
 public:
  static constexpr std::size_t directions = 8;

  /// The image is padded to the grid by repeating its edges and blurred (Gaussian, sigma 1 pixel).
  OrientationEnergy(const Image& image, const PatchGrid& grid);
  /// The same of a gray image, whose pixels are whole numbers.
  OrientationEnergy(const GrayImage& image, const PatchGrid& grid);

  [[nodiscard]] std::size_t width() const { return gray_.cols(); }
  [[nodiscard]] std::size_t height() const { return gray_.rows(); }

  /// One row as [width, 8]; valid until the next call.
  [[nodiscard]] std::span<const float> row(std::size_t y);

 private:
  /// A gradient between two neighboring directions, one along an axis and one diagonal.
  struct Split {
    std::vector<float> axis_part;
    std::vector<float> diagonal_part;
    std::vector<std::int32_t> axis;
    std::vector<std::int32_t> diagonal;
  };

  explicit OrientationEnergy(Matrix<float>&& blurred);
  void measure_gradients(std::size_t y);
  void split_gradients();
  void scatter();

  Matrix<float> gray_;
  std::vector<float> right_;  // the gradient of the current row
  std::vector<float> down_;
  Split split_;
  std::vector<float> energy_;
};

}  // namespace caos::vision
