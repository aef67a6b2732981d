#include <cstdint>
#include <cstring>

#include "caos/error.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/codecs/exif_check.hpp"
#include "caos/vision/codecs/probe.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// As the format defines it, bit by bit.
std::uint32_t crc_of(Input bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

std::uint32_t swapped(std::uint32_t value) { return __builtin_bswap32(value); }

/// Checksums of PNG that fit: else nothing behind them would be reached.
std::vector<std::byte> with_checksums(Input input) {
  std::vector<std::byte> bytes = copy_of(input);
  constexpr std::size_t signature = 8;
  constexpr std::size_t around = 12;  // length, type and checksum of a chunk
  if (!text_of(input).starts_with("\x89PNG")) return bytes;
  for (std::size_t at = signature; at + around <= bytes.size();) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    length = swapped(length);
    if (length > bytes.size() - at - around) break;
    const std::uint32_t crc = swapped(crc_of(std::span(bytes).subspan(at + 4, length + 4)));
    std::memcpy(bytes.data() + at + 8 + length, &crc, sizeof crc);
    at += around + length;
  }
  return bytes;
}

void decode(Input bytes) {
  const vision::ImageInfo info = vision::probe_image(bytes, "input");
  try {
    vision::check_exif(bytes, info, "input");
  } catch (const Error&) {  // it is decoded all the same
  }
  const vision::Image image =
      vision::decode_image(bytes, "input", {.max_pixels = std::size_t{1} << 20});
  demand(image.width == info.width && image.height == info.height,
         "the image is as large as its header says");
  demand(image.rgb.size() == image.width * image.height * 3, "every pixel has three bytes");
  if (image.rgb.size() > 3 * 4096) return;
  const vision::Image again = vision::decode_image(vision::encode_png(image), "again.png");
  demand(again.rgb == image.rgb, "the image is the same when written and read");
}

FUZZ_TARGET(image, input) {
  try {
    decode(input);
  } catch (const Error&) {  // perhaps for a checksum
  }
  decode(with_checksums(input));
}

}  // namespace
}  // namespace caos::fuzz
