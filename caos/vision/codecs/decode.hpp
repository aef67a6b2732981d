#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/backbone.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos::vision {

struct DecodeOptions {
  std::size_t max_pixels = 200'000'000;  ///< larger images are refused before they take memory
  bool apply_orientation = true;         ///< turn JPEG files as EXIF says; TIFF is always turned
};

/// Throws `bad_format` for an image that is too large to decode.
void require_fits(const ImageInfo& info, const DecodeOptions& options, const std::string& name);

/// The upright 8-bit RGB image in a JPEG, PNG, WebP, TIFF or BMP file; `name` is for errors.
/// 16-bit values v become round(v / 257), gray becomes equal RGB, transparent pixels are laid on
/// white, of several pages the first is taken, color profiles are ignored.
/// Throws `bad_format` where the file is damaged, truncated, too large or no image.
[[nodiscard]] Image decode_image(std::span<const std::byte> bytes, const std::string& name,
                                 const DecodeOptions& options = {});

}  // namespace caos::vision
