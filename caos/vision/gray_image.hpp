#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/backbone.hpp"
#include "caos/scores.hpp"

namespace caos::vision {

/// An 8-bit gray image, [height, width].
using GrayImage = Matrix<std::uint8_t>;

/// The luma 0.299 R + 0.587 G + 0.114 B, rounded half up, of the upper left part of an image.
/// Requires a part that is not larger than the image.
[[nodiscard]] GrayImage gray_of(const Image& image, std::size_t width, std::size_t height);

}  // namespace caos::vision
