#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/vision/probe.hpp"

// For the decoder of this room; not for users of the library.
namespace caos::vision {

/// Throws `bad_format` where an image file ends before its pixels do or, in a PNG, a checksum is
/// wrong. OpenCV fills what is missing of a JPEG with grey and says nothing.
void require_complete(std::span<const std::byte> bytes, ImageFormat format,
                      const std::string& name);

/// A complete PNG without the chunks that do not touch the pixels, such as colour profiles, which
/// make libpng print warnings.
[[nodiscard]] std::vector<std::byte> essential_png(std::span<const std::byte> png);

}  // namespace caos::vision
