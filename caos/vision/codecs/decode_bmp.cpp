#include "caos/vision/codecs/decode_bmp.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "caos/vision/codecs/bmp_runs.hpp"
#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;
using Rgb = std::array<std::uint8_t, 3>;
using Palette = std::array<Rgb, 256>;

enum Compression : std::uint32_t { plain = 0, runs_of_8 = 1, runs_of_4 = 2, bit_fields = 3 };

constexpr std::size_t file_header_size = 14;
constexpr std::uint32_t old_header_size = 12;
constexpr std::size_t masks_at = 54;  // after the first 40 bytes of the header, or inside a longer

struct Header {
  std::uint32_t size = 0;
  std::uint32_t pixels_at = 0;
  std::uint32_t bits = 0;
  std::uint32_t compression = plain;
  std::uint32_t colors = 0;
  bool goes_down = false;

  [[nodiscard]] bool is_old() const { return size == old_header_size; }
};

[[noreturn]] void refuse_damaged(const std::string& name) {
  refuse(name, "is damaged; save or copy it again");
}

std::uint32_t known(std::optional<std::uint32_t> number, const std::string& name) {
  if (!number) refuse_damaged(name);
  return *number;
}

bool is_negative(std::uint32_t number) { return number >= 0x80000000U; }

Header read_header(const ByteReader& bmp, const std::string& name) {
  const auto u32 = [&](std::size_t at) { return known(bmp.u32(at), name); };
  Header header{.size = u32(14), .pixels_at = u32(10)};
  header.bits = known(bmp.u16(header.is_old() ? 24 : 28), name);
  if (header.is_old()) return header;
  header.compression = u32(30);
  header.colors = u32(46);
  header.goes_down = is_negative(u32(22));
  if (is_negative(u32(18)) || header.colors > 256) refuse_damaged(name);
  return header;
}

[[noreturn]] void refuse_kind(const Header& header, const std::string& name) {
  refuse(name, fmt::format("is a BMP of {} bits and compression {}, which cannot be read; save it "
                           "with 24 bits and no compression",
                           header.bits, header.compression));
}

bool is_readable(const Header& header) {
  switch (header.compression) {
    case plain:
      return header.bits == 1 || header.bits == 4 || header.bits == 8 || header.bits == 24 ||
             header.bits == 32 || (header.bits == 16 && !header.is_old());
    case runs_of_8:
      return header.bits == 8;
    case runs_of_4:
      return header.bits == 4;
    case bit_fields:
      return header.bits == 16 || header.bits == 32;
    default:
      return false;
  }
}

/// Colors that are not there are black.
Palette read_palette(const ByteReader& bmp, const Header& header, const std::string& name) {
  const std::size_t entry = header.is_old() ? 3 : 4;
  const std::size_t count = header.colors > 0 ? header.colors : std::size_t{1} << header.bits;
  Palette palette{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bgr = known(bmp.u24(file_header_size + header.size + i * entry), name);
    palette[i] = {static_cast<std::uint8_t>(bgr >> 16), static_cast<std::uint8_t>(bgr >> 8),
                  static_cast<std::uint8_t>(bgr)};
  }
  return palette;
}

/// The palette's number of pixel `x` of a row.
std::uint8_t index_at(Bytes row, std::size_t x, std::size_t bits) {
  const std::size_t per_byte = 8 / bits;
  const auto byte = static_cast<unsigned>(row[x / per_byte]);
  const std::size_t shift = (per_byte - 1 - x % per_byte) * bits;
  return static_cast<std::uint8_t>(byte >> shift & ((1U << bits) - 1));
}

/// Where the bits of one color lie in a pixel.
struct Field {
  unsigned low = 0;
  unsigned width = 0;

  /// Fewer than 8 bits are the higher ones.
  [[nodiscard]] std::uint8_t of(std::uint32_t pixel) const {
    return static_cast<std::uint8_t>((pixel >> low & ((1U << width) - 1)) << (8 - width));
  }
};
using Fields = std::array<Field, 3>;

Field field_of(std::uint32_t mask, const std::string& name) {
  const auto low = static_cast<unsigned>(std::countr_zero(mask));
  const auto width = static_cast<unsigned>(std::popcount(mask));
  const bool is_field = width >= 1 && width <= 8 && mask >> low == (1U << width) - 1;
  if (!is_field) refuse(name, "has colors of more than 8 bits; save it with 24 bits");
  return {.low = low, .width = width};
}

Fields read_fields(const ByteReader& bmp, const Header& header, const std::string& name) {
  if (header.compression != bit_fields) {
    return header.bits == 16 ? Fields{{{10, 5}, {5, 5}, {0, 5}}}
                             : Fields{{{16, 8}, {8, 8}, {0, 8}}};
  }
  Fields fields;
  for (std::size_t c = 0; c < 3; ++c) {
    fields[c] = field_of(known(bmp.u32(masks_at + 4 * c), name), name);
  }
  return fields;
}

/// Pixels in the order of the file.
class Pixels {
 public:
  Pixels(Bytes bytes, const Header& header, const ImageInfo& info, const std::string& name)
      : header_(header), info_(info), pixels_(Bytes(bytes).subspan(header.pixels_at)) {
    const ByteReader bmp(bytes, ByteOrder::little);
    if (header.bits > 8) {
      fields_ = read_fields(bmp, header, name);
    } else {
      palette_ = read_palette(bmp, header, name);
    }
    if (header.compression != runs_of_8 && header.compression != runs_of_4) return;
    indices_ = bmp_indices_of_runs(pixels_, header.bits, info.width, info.height, name);
  }

  /// Row `y` of the file as RGB.
  void copy_row(std::size_t y, std::uint8_t* rgb) const {
    if (header_.bits > 8) return copy_colors(row(y), rgb);
    for (std::size_t x = 0; x < info_.width; ++x) {
      for (const std::uint8_t value : palette_[index(x, y)]) *rgb++ = value;
    }
  }

 private:
  [[nodiscard]] Bytes row(std::size_t y) const {
    const std::size_t stride = (info_.width * header_.bits + 31) / 32 * 4;
    return pixels_.subspan(y * stride, stride);
  }

  [[nodiscard]] std::uint8_t index(std::size_t x, std::size_t y) const {
    return indices_.empty() ? index_at(row(y), x, header_.bits) : indices_[y * info_.width + x];
  }

  void copy_colors(Bytes row, std::uint8_t* rgb) const {
    const std::size_t size = header_.bits / 8;
    for (std::size_t x = 0; x < info_.width; ++x) {
      std::uint32_t pixel = 0;
      for (std::size_t i = size; i-- > 0;) {
        pixel = pixel << 8 | static_cast<std::uint32_t>(row[x * size + i]);
      }
      for (const Field& field : fields_) *rgb++ = field.of(pixel);
    }
  }

  Header header_;
  ImageInfo info_;
  Bytes pixels_;
  Palette palette_{};
  Fields fields_{};
  std::vector<std::uint8_t> indices_{};  // empty where there are no runs
};

}  // namespace

Image decode_bmp(Bytes bytes, const ImageInfo& info, const std::string& name) {
  const Header header = read_header(ByteReader(bytes, ByteOrder::little), name);
  if (!is_readable(header)) refuse_kind(header, name);
  if (header.pixels_at > bytes.size()) refuse_damaged(name);
  const Pixels pixels(bytes, header, info, name);
  Image image{.width = info.width, .height = info.height};
  image.rgb.resize(image.width * image.height * 3);
  for (std::size_t y = 0; y < image.height; ++y) {
    const std::size_t to = header.goes_down ? y : image.height - 1 - y;
    pixels.copy_row(y, image.rgb.data() + to * image.width * 3);
  }
  return image;
}

}  // namespace caos::vision
