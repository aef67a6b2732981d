#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/vision/codecs/probe.hpp"

// For the decoder of this module; not for users of the library.
namespace caos::vision {

/// The first RGB image in a TIFF file with this header, as it is stored, not turned; by libtiff, in
/// every way of compression that libtiff was built with. Throws `bad_format` where it is damaged,
/// cut short or of a kind that cannot be shown in 8 bits.
[[nodiscard]] Image decode_tiff(std::span<const std::byte> bytes, const ImageInfo& info,
                                const std::string& name);

/// The same in 16 bits, of a gray image that has more than 8 and is not turned; nothing for others.
[[nodiscard]] std::optional<std::vector<std::uint16_t>> decode_deep_tiff(
    std::span<const std::byte> bytes, const ImageInfo& info, const std::string& name);

}  // namespace caos::vision
