#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// The RGB image in a complete PNG file, by libpng; `require_complete` has checked its checksums.
/// Throws `bad_format` where its coded pixels are damaged.
[[nodiscard]] Image decode_png(std::span<const std::byte> bytes, const std::string& name);

/// The same in 16 bits. Requires a gray image of 16 bits.
[[nodiscard]] std::vector<std::uint16_t> decode_deep_png(std::span<const std::byte> bytes,
                                                         const std::string& name);

}  // namespace caos::vision
