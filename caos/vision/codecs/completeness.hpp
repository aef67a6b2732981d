#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/vision/codecs/probe.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// Throws `bad_format` where an image file ends before its pixels do or, in a PNG, a checksum is
/// wrong. Where it ends is not for its decoder to guess.
void require_complete(std::span<const std::byte> bytes, ImageFormat format,
                      const std::string& name);

}  // namespace caos::vision
