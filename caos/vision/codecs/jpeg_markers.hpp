#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// For the headers of image files; not for users of the library.
namespace caos::vision {

/// What the markers of a JPEG file say.
struct JpegMarkers {
  std::optional<std::uint32_t> width{};  ///< as stored
  std::optional<std::uint32_t> height{};
  int orientation = 1;
  bool is_complete = false;                        ///< the end marker is there
  std::vector<std::span<const std::byte>> exif{};  ///< blocks of EXIF; of very many, the first
};

/// How far to read.
enum class JpegExtent {
  header,  ///< up to the pixels
  whole,   ///< through the pixels to the end marker
};

[[nodiscard]] JpegMarkers read_jpeg_markers(std::span<const std::byte> bytes, JpegExtent extent);

}  // namespace caos::vision
