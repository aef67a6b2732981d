#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/backbone.hpp"
#include "caos/rng.hpp"

namespace caos::test {

inline vision::Image random_image(std::size_t width, std::size_t height, std::uint64_t seed) {
  vision::Image image{.width = width, .height = height};
  Rng rng(seed);
  for (std::size_t i = 0; i < 3 * width * height; ++i) {
    image.rgb.push_back(static_cast<std::uint8_t>(rng.uniform() * 256));
  }
  return image;
}

}  // namespace caos::test
