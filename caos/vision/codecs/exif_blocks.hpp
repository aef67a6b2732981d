#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/vision/codecs/probe.hpp"

// For the headers of image files; not for users of the library.
namespace caos::vision {

/// More EXIF blocks than this are not looked at; images have one.
inline constexpr std::size_t max_exif_blocks = 16;

/// The TIFF structures with EXIF in an image file, in the order of the file; of a TIFF file, all of
/// it.
[[nodiscard]] std::vector<std::span<const std::byte>> exif_blocks(std::span<const std::byte> bytes,
                                                                  ImageFormat format);

}  // namespace caos::vision
