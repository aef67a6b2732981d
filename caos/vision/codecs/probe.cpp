#include "caos/vision/codecs/probe.hpp"

#include <optional>
#include <utility>

#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/jpeg_markers.hpp"
#include "caos/vision/codecs/refuse_image.hpp"
#include "caos/vision/codecs/tiff_tags.hpp"

namespace caos::vision {
namespace {

using namespace std::string_view_literals;
using Number = std::optional<std::uint32_t>;
using Bytes = std::span<const std::byte>;

/// A header as far as it could be read; sides are as stored.
struct Header {
  ImageFormat format;
  Number width{};
  Number height{};
  int orientation = 1;
};

std::optional<Header> probe_jpeg(Bytes bytes) {
  if (!ByteReader(bytes, ByteOrder::big).has(0, "\xff\xd8\xff"sv)) return std::nullopt;
  const JpegMarkers found = read_jpeg_markers(bytes, JpegExtent::header);
  return Header{ImageFormat::jpeg, found.width, found.height, found.orientation};
}

std::optional<Header> probe_png(Bytes bytes) {
  const ByteReader png(bytes, ByteOrder::big);
  if (!png.has(0, "\x89PNG\r\n\x1a\n"sv)) return std::nullopt;
  if (!png.has(12, "IHDR"sv)) return Header{ImageFormat::png};
  return Header{ImageFormat::png, png.u32(16), png.u32(20)};
}

/// The file holds the side less one in some of its bits.
Number side(Number bits, unsigned shift, std::uint32_t mask, std::uint32_t add) {
  if (!bits) return std::nullopt;
  return (*bits >> shift & mask) + add;
}

std::optional<Header> probe_webp(Bytes bytes) {
  const ByteReader webp(bytes, ByteOrder::little);
  if (!webp.has(0, "RIFF"sv) || !webp.has(8, "WEBP"sv)) return std::nullopt;
  Header header{ImageFormat::webp};
  if (webp.has(12, "VP8X"sv)) {
    header.width = side(webp.u24(24), 0, 0xffffff, 1);
    header.height = side(webp.u24(27), 0, 0xffffff, 1);
  } else if (webp.has(12, "VP8L"sv)) {
    header.width = side(webp.u32(21), 0, 0x3fff, 1);
    header.height = side(webp.u32(21), 14, 0x3fff, 1);
  } else if (webp.has(12, "VP8 "sv) && webp.has(23, "\x9d\x01\x2a"sv)) {
    header.width = side(webp.u16(26), 0, 0x3fff, 0);
    header.height = side(webp.u16(28), 0, 0x3fff, 0);
  }
  return header;
}

std::optional<Header> probe_tiff(Bytes bytes) {
  const auto tags = read_tiff_tags(bytes);
  if (!tags) return std::nullopt;
  const std::uint32_t orientation = tags->orientation.value_or(1);
  const bool is_known = orientation >= 1 && orientation <= 8;
  return Header{ImageFormat::tiff, tags->width, tags->height,
                is_known ? static_cast<int>(orientation) : 1};
}

/// A negative height means that rows go downwards.
Number magnitude(Number side) {
  if (side && *side >= 0x80000000U) return ~*side + 1;
  return side;
}

std::optional<Header> probe_bmp(Bytes bytes) {
  constexpr std::uint32_t old_header = 12;
  const ByteReader bmp(bytes, ByteOrder::little);
  if (!bmp.has(0, "BM"sv)) return std::nullopt;
  const Number header_size = bmp.u32(14);
  // Two letters are a weak signature: without a header of a known size it is something else.
  if (header_size == old_header) return Header{ImageFormat::bmp, bmp.u16(18), bmp.u16(20)};
  if (!header_size || *header_size < 40 || *header_size > 124) return std::nullopt;
  return Header{ImageFormat::bmp, magnitude(bmp.u32(18)), magnitude(bmp.u32(22))};
}

std::optional<Header> read_header(Bytes bytes) {
  for (const auto probe : {probe_jpeg, probe_png, probe_webp, probe_tiff, probe_bmp}) {
    if (auto header = probe(bytes)) return header;
  }
  return std::nullopt;
}

}  // namespace

ImageInfo probe_image(Bytes bytes, const std::string& name) {
  if (bytes.empty()) refuse(name, "is empty; expected an image");
  const auto header = read_header(bytes);
  if (!header) {
    refuse(name, "not an image that can be read; JPEG, PNG, WebP, TIFF and BMP can");
  }
  if (!header->width || !header->height) {
    refuse(name, "its header is damaged or cut short; save or copy it again");
  }
  ImageInfo info{header->format, *header->width, *header->height, header->orientation};
  if (info.width == 0 || info.height == 0) refuse(name, "its header says that it has no pixels");
  if (swaps_sides(info.orientation)) std::swap(info.width, info.height);
  return info;
}

std::pair<std::size_t, std::size_t> decoded_size(const ImageInfo& info, bool apply_orientation) {
  const bool turned_back =
      !apply_orientation && info.format == ImageFormat::jpeg && swaps_sides(info.orientation);
  return turned_back ? std::pair(info.height, info.width) : std::pair(info.width, info.height);
}

}  // namespace caos::vision
