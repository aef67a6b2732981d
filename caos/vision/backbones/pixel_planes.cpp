#include "caos/vision/backbones/pixel_planes.hpp"

#include <algorithm>
#include <cassert>

namespace caos::vision {

PixelPlanes::PixelPlanes(const std::array<double, 3>& mean, const std::array<double, 3>& std_dev) {
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t v = 0; v < 256; ++v) {
      values_[c][v] = static_cast<float>((static_cast<double>(v) / 255 - mean[c]) / std_dev[c]);
    }
  }
}

void PixelPlanes::fill(const Image& image, std::size_t width, std::size_t height,
                       std::span<float> planes) const {
  assert(image.width <= width && image.height <= height && planes.size() == 3 * width * height);
  float* out = planes.data();
  for (const auto& values : values_) {
    const std::uint8_t* pixel = image.rgb.data() + (&values - values_.data());
    for (std::size_t y = 0; y < image.height; ++y) {
      for (std::size_t x = 0; x < image.width; ++x, pixel += 3) out[x] = values[*pixel];
      std::fill(out + image.width, out + width, values[0]);
      out += width;
    }
    out = std::fill_n(out, (height - image.height) * width, values[0]);
  }
}

}  // namespace caos::vision
