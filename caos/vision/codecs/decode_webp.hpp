#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/backbone.hpp"
#include "caos/vision/codecs/probe.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// The RGB image in a WebP file with this header, by libwebp.
/// Throws `bad_format` where it is damaged or an animation.
[[nodiscard]] Image decode_webp(std::span<const std::byte> bytes, const ImageInfo& info,
                                const std::string& name);

}  // namespace caos::vision
