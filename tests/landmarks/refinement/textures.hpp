#pragma once

#include <algorithm>

#include "caos/rng.hpp"
#include "caos/vision/gray_image.hpp"

namespace refinement {

/// A smooth random image: sums of squares of pixels that were drawn.
inline caos::vision::GrayImage texture(std::uint64_t seed, std::size_t width, std::size_t height) {
  constexpr std::size_t spread = 5;
  caos::Rng rng(seed);
  caos::Matrix<double> drawn(height + spread, width + spread);
  for (std::size_t y = 0; y < drawn.rows(); ++y) {
    for (double& value : drawn.row(y)) value = rng.uniform();
  }
  caos::vision::GrayImage image(height, width);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      double sum = 0;
      for (std::size_t p = 0; p < spread * spread; ++p) {
        sum += drawn(y + p / spread, x + p % spread) - 0.5;
      }
      image(y, x) = static_cast<std::uint8_t>(std::clamp(128 + 60 * sum, 0.0, 255.0));
    }
  }
  return image;
}

}  // namespace refinement
