#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/backbone.hpp"
#include "caos/vision/codecs/probe.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// The RGB image in a complete BMP file with this header: 1, 4 and 8 bits with a palette,
/// run-length coded or not, and 16, 24 and 32 bits. The fourth byte of a pixel is mostly unused and
/// zero, and is not taken for transparency. Throws `bad_format` where it is damaged or of another
/// kind.
[[nodiscard]] Image decode_bmp(std::span<const std::byte> bytes, const ImageInfo& info,
                               const std::string& name);

}  // namespace caos::vision
