#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caos::vision {

/// A colour image, upright: 8-bit RGB, row by row from the upper left.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgb{};  ///< [height, width, 3]
};

}  // namespace caos::vision
