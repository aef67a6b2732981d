#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/vision/codecs/probe.hpp"

namespace caos::vision {

/// Throws `bad_format` where the EXIF of an image contradicts itself, or the image: programs then
/// disagree on which way is up, and a point means another place in each of them. `info` is what
/// `probe_image` says of these bytes; `name` is for errors.
/// Refused are orientations outside of 1 to 8 or that disagree, an orientation
/// other than upright in a PNG or WebP file (which `decode_image` does not turn), and a size in
/// pixels that is not the image's as stored.
void check_exif(std::span<const std::byte> bytes, const ImageInfo& info, const std::string& name);

}  // namespace caos::vision
