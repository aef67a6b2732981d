#pragma once

#include <cstddef>
#include <vector>

#include "caos/backbone.hpp"

namespace caos::vision {

/// The bytes of a JPEG file. Requires 0 <= quality <= 100 and an image with pixels.
[[nodiscard]] std::vector<std::byte> encode_jpeg(const Image& image, int quality = 90);

/// The bytes of a PNG file, from which `decode_image` gives the same pixels.
[[nodiscard]] std::vector<std::byte> encode_png(const Image& image);

}  // namespace caos::vision
