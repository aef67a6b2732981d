#include "caos/vision/gray_image.hpp"

#include <cassert>

namespace caos::vision {

GrayImage gray_of(const Image& image, std::size_t width, std::size_t height) {
  assert(width <= image.width && height <= image.height);
  GrayImage gray(height, width);
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t* pixel = image.rgb.data() + 3 * y * image.width;
    for (std::uint8_t& value : gray.row(y)) {
      const unsigned luma = 299U * pixel[0] + 587U * pixel[1] + 114U * pixel[2];
      value = static_cast<std::uint8_t>((luma + 500U) / 1000U);
      pixel += 3;
    }
  }
  return gray;
}

}  // namespace caos::vision
