#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/backbone.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// The RGB image in a JPEG file as it is stored, not turned. Throws `bad_format` where its coded
/// pixels are damaged, of which libjpeg-turbo only warns.
[[nodiscard]] Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name);

}  // namespace caos::vision
