#include "caos/vision/codecs/exif_blocks.hpp"

#include <string_view>

#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/jpeg_markers.hpp"

namespace caos::vision {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;
using Blocks = std::vector<Bytes>;

/// Some programs put the signature of JPEG's segments before the block in other formats, too.
Bytes without_signature(Bytes block) {
  constexpr auto signature = "Exif\0\0"sv;
  const bool has_it = ByteReader(block, ByteOrder::big).has(0, signature);
  return has_it ? block.subspan(signature.size()) : block;
}

/// Length, type, data, checksum.
Blocks png_blocks(Bytes bytes) {
  const ByteReader png(bytes, ByteOrder::big);
  Blocks blocks;
  for (std::size_t at = 8; png.has(at + 8, ""sv) && blocks.size() < max_exif_blocks;) {
    const std::size_t length = png.u32(at).value_or(0);
    if (png.has(at + 4, "eXIf"sv)) blocks.push_back(without_signature(png.part(at + 8, length)));
    at += 12 + length;
  }
  return blocks;
}

/// Type, length, data, and a byte where the length is odd.
Blocks webp_blocks(Bytes bytes) {
  const ByteReader webp(bytes, ByteOrder::little);
  Blocks blocks;
  for (std::size_t at = 12; webp.has(at + 8, ""sv) && blocks.size() < max_exif_blocks;) {
    const std::size_t length = webp.u32(at + 4).value_or(0);
    if (webp.has(at, "EXIF"sv)) blocks.push_back(without_signature(webp.part(at + 8, length)));
    at += 8 + length + length % 2;
  }
  return blocks;
}

}  // namespace

Blocks exif_blocks(Bytes bytes, ImageFormat format) {
  switch (format) {
    case ImageFormat::jpeg:
      return read_jpeg_markers(bytes, JpegExtent::header).exif;
    case ImageFormat::png:
      return png_blocks(bytes);
    case ImageFormat::webp:
      return webp_blocks(bytes);
    case ImageFormat::tiff:
      return {bytes};
    case ImageFormat::bmp:
      return {};
  }
  return {};
}

}  // namespace caos::vision
