#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace caos::vision {

enum class ImageFormat { jpeg, png, webp, tiff, bmp };

/// What the header of an image file says.
struct ImageInfo {
  ImageFormat format = ImageFormat::jpeg;
  std::size_t width = 0;  ///< as displayed: EXIF orientation is applied
  std::size_t height = 0;
  int orientation = 1;  ///< 1 to 8 as in EXIF, of JPEG and TIFF files; 1 is upright
};

/// Reads the header of an image file, not its pixels; `name` is for errors.
/// Throws `bad_format` unless the bytes are an image that `decode_image` reads.
[[nodiscard]] ImageInfo probe_image(std::span<const std::byte> bytes, const std::string& name);

/// Width and height of the image that `decode_image` gives; without orientation, JPEG as stored.
[[nodiscard]] std::pair<std::size_t, std::size_t> decoded_size(const ImageInfo& info,
                                                               bool apply_orientation);

/// Whether the orientation exchanges width and height.
[[nodiscard]] constexpr bool swaps_sides(int orientation) { return orientation >= 5; }

}  // namespace caos::vision
