#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// For the headers of image files; not for users of the library.
namespace caos::vision {

/// What the first directory of a TIFF structure says; EXIF is one, too, and has a directory of its
/// own in it.
struct TiffTags {
  std::optional<std::uint32_t> width{};
  std::optional<std::uint32_t> height{};
  std::optional<std::uint32_t> bits{};  ///< of a number, where there is one in a pixel
  std::optional<std::uint32_t> channels{};
  std::optional<std::uint32_t> photometric{};
  std::optional<std::uint32_t> orientation{};  ///< 0 where it is not a number
  bool has_several_orientations = false;       ///< different ones; the last one counts
  std::optional<std::uint32_t> exif_width{};  ///< of the image that EXIF was written for, as stored
  std::optional<std::uint32_t> exif_height{};
};

/// Nothing where the bytes are not a TIFF structure. Tags that cannot be read are left out.
[[nodiscard]] std::optional<TiffTags> read_tiff_tags(std::span<const std::byte> bytes);

}  // namespace caos::vision
