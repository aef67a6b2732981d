#include "caos/vision/codecs/completeness.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/jpeg_markers.hpp"
#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse_truncated(const std::string& name) {
  refuse(name, "is truncated: it ends before its last pixels; save or copy it again");
}

void require_jpeg(Bytes bytes, const std::string& name) {
  if (!read_jpeg_markers(bytes, JpegExtent::whole).is_complete) refuse_truncated(name);
}

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? 0xedb88320U ^ crc >> 1 : crc >> 1;
    table[i] = crc;
  }
  return table;
}

std::uint32_t crc32(Bytes bytes) {
  static constexpr auto table = make_crc_table();
  std::uint32_t crc = ~0U;
  for (const std::byte b : bytes) {
    crc = table[(crc ^ static_cast<std::uint32_t>(b)) & 0xff] ^ crc >> 8;
  }
  return ~crc;
}

constexpr std::size_t png_signature_size = 8;
constexpr std::size_t png_chunk_extra = 12;  // length, type, checksum

struct PngChunk {
  std::string_view type{};
  Bytes whole{};  // from its length to its checksum
  bool is_intact = false;
};

/// The chunk at byte `at`; nothing where it is cut short.
std::optional<PngChunk> chunk_at(Bytes png, std::size_t at) {
  const ByteReader reader(png, ByteOrder::big);
  const auto length = reader.u32(at);
  if (!length) return std::nullopt;
  const Bytes whole = reader.part(at, *length + png_chunk_extra);
  if (whole.size() < *length + png_chunk_extra) return std::nullopt;
  return PngChunk{
      .type = {reinterpret_cast<const char*>(whole.data()) + 4, 4},
      .whole = whole,
      .is_intact = reader.u32(at + 8 + *length) == crc32(whole.subspan(4, *length + 4))};
}

void require_png(Bytes bytes, const std::string& name) {
  for (std::size_t at = png_signature_size;;) {
    const auto chunk = chunk_at(bytes, at);
    if (!chunk) refuse_truncated(name);
    if (!chunk->is_intact) {
      refuse(name, fmt::format("is damaged: the checksum of the chunk at byte {} is wrong; save or "
                               "copy it again",
                               at));
    }
    if (chunk->type == "IEND") return;
    at += chunk->whole.size();
  }
}

void require_webp(Bytes bytes, const std::string& name) {
  const auto length = ByteReader(bytes, ByteOrder::little).u32(4);
  if (!length || bytes.size() - 8 < *length) refuse_truncated(name);
}

/// The bytes of all rows, where they are not compressed.
std::uint64_t bmp_pixel_bytes(const ByteReader& bmp, const ImageInfo& info) {
  constexpr std::uint32_t old_header = 12;
  const bool is_old = bmp.u32(14) == old_header;
  const std::uint64_t bits = bmp.u16(is_old ? 24 : 28).value_or(0);
  const std::uint32_t compression = is_old ? 0 : bmp.u32(30).value_or(0);
  const bool is_plain = compression == 0 || compression == 3;
  return is_plain ? (info.width * bits + 31) / 32 * 4 * info.height : 0;
}

void require_bmp(Bytes bytes, const std::string& name) {
  const ByteReader bmp(bytes, ByteOrder::little);
  const std::uint64_t start = bmp.u32(10).value_or(0);
  if (start + bmp_pixel_bytes(bmp, probe_image(bytes, name)) > bytes.size()) refuse_truncated(name);
}

}  // namespace

void require_complete(Bytes bytes, ImageFormat format, const std::string& name) {
  switch (format) {
    case ImageFormat::jpeg:
      return require_jpeg(bytes, name);
    case ImageFormat::png:
      return require_png(bytes, name);
    case ImageFormat::webp:
      return require_webp(bytes, name);
    case ImageFormat::bmp:
      return require_bmp(bytes, name);
    case ImageFormat::tiff:
      return;  // libtiff reads no strip that is not whole
  }
}

}  // namespace caos::vision
