#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "caos/vision/gray_image.hpp"

namespace caos {

inline constexpr std::size_t thumbnail_side = 32;

/// An image as 32 x 32 gray values, whatever its shape.
using Thumbnail = std::array<std::uint8_t, thumbnail_side * thumbnail_side>;

/// Each cell is the mean of the gray values below it, weighted by area and rounded half up; exact,
/// in whole numbers. Requires an image with pixels.
[[nodiscard]] Thumbnail thumbnail_of(const vision::GrayImage& image);

/// The correlation of the gray values of two thumbnails, from -1 to 1; 0 where all values of one
/// are equal. Sums are exact, so that it is the same on every machine.
[[nodiscard]] double correlation(const Thumbnail& a, const Thumbnail& b);

}  // namespace caos
