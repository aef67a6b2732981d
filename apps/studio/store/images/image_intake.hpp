#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/vision/codecs/probe.hpp"

namespace caos::studio {

/// Header, EXIF and then all pixels of an image are looked at; throws `bad_format` with a reason
/// and a remedy where they are not as they should be. `name` is for errors.
[[nodiscard]] vision::ImageInfo inspect_image(std::span<const std::byte> bytes,
                                              const std::string& name);

}  // namespace caos::studio
