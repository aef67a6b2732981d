#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "caos/backbone.hpp"

namespace caos::vision {

/// Turns pixels into what networks take: one plane of floats per channel, scaled and shifted.
class PixelPlanes {
 public:
  /// A pixel value v becomes (v / 255 - mean) / std_dev, worked out in double. Requires std_dev >
  /// 0.
  PixelPlanes(const std::array<double, 3>& mean, const std::array<double, 3>& std_dev);

  /// Fills [3, height, width]; what lies right of the image and below it is black.
  /// Requires an image that is no larger, and planes of that size.
  void fill(const Image& image, std::size_t width, std::size_t height,
            std::span<float> planes) const;

 private:
  std::array<std::array<float, 256>, 3> values_{};
};

}  // namespace caos::vision
