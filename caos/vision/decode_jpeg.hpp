#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/vision/image.hpp"

// For the decoder of this room; not for users of the library.
namespace caos::vision {

/// The RGB image in a JPEG file as it is stored, not turned. Throws `bad_format` where its coded
/// pixels are damaged. By libjpeg-turbo itself: OpenCV keeps what it finds wrong to itself, or lets
/// it be printed.
[[nodiscard]] Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name);

}  // namespace caos::vision
