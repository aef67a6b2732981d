#include "caos/vision/codecs/decode_tiff.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "caos/vision/codecs/refuse_image.hpp"
#include "caos/vision/codecs/samples.hpp"
#include "caos/vision/codecs/tiff_file.hpp"
#include "caos/vision/codecs/tiff_tags.hpp"

namespace caos::vision {
namespace {

struct Layout {
  std::uint16_t bits = 1;
  std::uint16_t channels = 1;
  std::uint16_t meaning = 0;  // "photometric interpretation"
  std::uint16_t number = 0;   // unsigned, signed or floating
  std::uint16_t extra = 0;    // what the channel after the colors is
  bool is_tiled = false;
  bool has_planes = false;
};

/// libtiff takes a palette's numbers for gray where it cannot read the palette.
void require_palette(std::span<const std::byte> bytes, const Layout& layout,
                     const std::string& name) {
  const auto tags = read_tiff_tags(bytes);
  if (!tags || tags->photometric != PHOTOMETRIC_PALETTE) return;
  if (layout.meaning == PHOTOMETRIC_PALETTE) return;
  refuse(name, "is damaged (its palette cannot be read); save or copy it again");
}

std::uint16_t extra_of(const TiffFile& file) {
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  if (TIFFGetField(file.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 0 || count == 0) {
    return EXTRASAMPLE_UNSPECIFIED;
  }
  return kinds[0];
}

Layout layout_of(const TiffFile& file, const std::string& name) {
  Layout layout{.bits = file.short_number(TIFFTAG_BITSPERSAMPLE, 1),
                .channels = file.short_number(TIFFTAG_SAMPLESPERPIXEL, 1),
                .number = file.short_number(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT),
                .extra = extra_of(file),
                .is_tiled = TIFFIsTiled(file.get()) != 0};
  const auto planes = file.short_number(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  layout.has_planes = planes == PLANARCONFIG_SEPARATE && layout.channels > 1;
  if (TIFFGetField(file.get(), TIFFTAG_PHOTOMETRIC, &layout.meaning) == 0) {
    refuse(name, "has an unknown color space; save it again");
  }
  return layout;
}

void require_whole_numbers(const Layout& layout, const std::string& name) {
  const bool is_whole = layout.number == SAMPLEFORMAT_UINT ||
                        (layout.number == SAMPLEFORMAT_VOID && layout.bits <= 8);
  const bool is_log = layout.meaning == PHOTOMETRIC_LOGL || layout.meaning == PHOTOMETRIC_LOGLUV;
  if (is_whole && !is_log && layout.bits <= 16) return;
  refuse(name, "has pixels that are not whole numbers of 8 or 16 bits; convert it to 8 bits");
}

/// Whether the numbers are as they are shown and have more than 8 bits. libtiff would cut them off.
bool is_deep(const Layout& layout) {
  const bool is_packed = layout.bits == 10 || layout.bits == 12 || layout.bits == 14;
  const bool is_plain = layout.meaning <= PHOTOMETRIC_RGB;
  return is_plain && (is_packed || layout.bits == 16) &&
         (layout.channels == 1 || layout.channels == 3 || layout.channels == 4);
}

/// Palettes, inks, luma with chroma, few bits: libtiff makes RGBA of 8 bits of all of them.
Samples read_as_rgba(const TiffFile& file, const Layout& layout, const ImageInfo& info) {
  const std::size_t count = info.width * info.height;
  std::vector<std::uint32_t> raster(count);
  if (TIFFReadRGBAImageOriented(file.get(), static_cast<std::uint32_t>(info.width),
                                static_cast<std::uint32_t>(info.height), raster.data(),
                                ORIENTATION_TOPLEFT, 1) == 0) {
    file.refuse_damaged();
  }
  Samples samples{.width = info.width, .height = info.height, .channels = 4};
  samples.values.resize(count * 4);
  auto* to = samples.values.data();
  // A fourth channel is alpha, said or not; one beside a shade of gray only if said so. libtiff
  // multiplies colors by it, but not shades.
  const bool is_gray = layout.channels < 4;
  samples.is_premultiplied = layout.extra == EXTRASAMPLE_ASSOCALPHA ||
                             (layout.extra == EXTRASAMPLE_UNASSALPHA && !is_gray);
  const bool is_opaque = is_gray && layout.extra == EXTRASAMPLE_UNSPECIFIED;
  const std::uint32_t opaque = is_opaque ? 0xff000000U : 0;
  for (const std::uint32_t rgba : raster) {
    const std::uint32_t pixel = rgba | opaque;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      *to++ = static_cast<std::uint8_t>(pixel >> shift);
    }
  }
  return samples;
}

/// In the higher bits of 16, and in 8.
std::uint16_t narrowed(unsigned deep, std::uint16_t) { return static_cast<std::uint16_t>(deep); }
std::uint8_t narrowed(unsigned deep, std::uint8_t) { return to_8_bits(deep); }

/// Reads strips, or tiles, of numbers of 10 to 16 bits, and gives them in 8 or 16.
template <typename Value>
class DeepReader {
 public:
  DeepReader(const TiffFile& file, const Layout& layout, const ImageInfo& info)
      : file_(file), layout_(layout), width_(info.width), height_(info.height) {
    values_.resize(width_ * height_ * layout.channels);
    TIFF* const tiff = file.get();
    const bool is_tiled = layout.is_tiled;
    part_width_ = is_tiled ? file.number(TIFFTAG_TILEWIDTH) : info.width;
    part_height_ = file.number(is_tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP);
    row_bytes_ =
        static_cast<std::size_t>(is_tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff));
    const tmsize_t part = is_tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    if (part_width_ == 0 || part_height_ == 0 || row_bytes_ == 0 || part <= 0) {
      file.refuse_damaged();
    }
    part_.resize(static_cast<std::size_t>(part));
  }

  std::vector<Value> read() && {
    const std::size_t planes = layout_.has_planes ? layout_.channels : 1;
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t y = 0; y < height_; y += part_height_) {
        for (std::size_t x = 0; x < width_; x += part_width_) read_part(x, y, plane);
      }
    }
    return std::move(values_);
  }

 private:
  void read_part(std::size_t x, std::size_t y, std::size_t plane) {
    const std::size_t rows = std::min(part_height_, height_ - y);
    const auto size = static_cast<tmsize_t>(part_.size());
    const auto column = static_cast<std::uint32_t>(x);
    const auto row = static_cast<std::uint32_t>(y);
    const auto sample = static_cast<std::uint16_t>(plane);
    TIFF* const tiff = file_.get();
    const tmsize_t got =
        layout_.is_tiled
            ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, column, row, 0, sample), part_.data(),
                                  size)
            : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, row, sample), part_.data(), size);
    if (got < 0 || static_cast<std::size_t>(got) < rows * row_bytes_) file_.refuse_damaged();
    for (std::size_t i = 0; i < rows; ++i) unpack(i, x, y + i, plane);
  }

  /// Row `i` of the part becomes pixels from (x, y) on.
  void unpack(std::size_t i, std::size_t x, std::size_t y, std::size_t plane) {
    const std::size_t together = layout_.has_planes ? 1 : layout_.channels;
    const std::size_t step = layout_.has_planes ? layout_.channels : 1;
    const std::size_t count = std::min(part_width_, width_ - x) * together;
    const std::uint8_t* const from = part_.data() + i * row_bytes_;
    Value* to = values_.data() + (y * width_ + x) * layout_.channels + plane;
    const unsigned flip = layout_.meaning == PHOTOMETRIC_MINISWHITE ? 0xffffU : 0;
    for (std::size_t n = 0; n < count; ++n, to += step) {
      *to = narrowed(deep_number(from, n) ^ flip, Value{});
    }
  }

  /// Number `n` of a row in the higher bits of 16. libtiff gives 16 bits in the machine's order of
  /// bytes, fewer as a stream of bits.
  [[nodiscard]] unsigned deep_number(const std::uint8_t* row, std::size_t n) const {
    if (layout_.bits == 16) {
      std::uint16_t value = 0;
      std::memcpy(&value, row + n * 2, sizeof value);
      return value;
    }
    const std::size_t bit = n * layout_.bits;
    const std::size_t last = (bit + layout_.bits - 1) / 8;
    unsigned window = 0;  // the two or three bytes that hold it
    for (std::size_t i = bit / 8; i <= last; ++i) window = window << 8 | row[i];
    const auto after = static_cast<unsigned>((last + 1) * 8 - bit - layout_.bits);
    return (window >> after & ((1U << layout_.bits) - 1)) << (16U - layout_.bits);
  }

  const TiffFile& file_;
  Layout layout_;
  std::size_t width_;
  std::size_t height_;
  std::vector<Value> values_{};
  std::size_t part_width_ = 0;
  std::size_t part_height_ = 0;
  std::size_t row_bytes_ = 0;
  std::vector<std::uint8_t> part_{};
};

/// Tiles may be larger than the image, but not so that a small image takes much memory.
void require_small_tiles(const TiffFile& file, const ImageInfo& info, const std::string& name) {
  constexpr std::uint64_t usual = std::uint64_t{1} << 22;
  const std::uint64_t largest = std::max(usual, 4 * std::uint64_t{info.width} * info.height);
  const auto width = file.number(TIFFTAG_TILEWIDTH);
  const auto height = file.number(TIFFTAG_TILELENGTH);
  if (std::uint64_t{width} * height <= largest) return;
  refuse(name,
         fmt::format("has tiles of {} x {} pixels, which are too large to be read", width, height));
}

Samples read_deep(const TiffFile& file, const Layout& layout, const ImageInfo& info) {
  return {.width = info.width,
          .height = info.height,
          .channels = layout.channels,
          .values = DeepReader<std::uint8_t>(file, layout, info).read(),
          .is_premultiplied = layout.extra == EXTRASAMPLE_ASSOCALPHA};
}

/// What a file says of its first image, checked.
Layout checked_layout(const TiffFile& file, std::span<const std::byte> bytes,
                      const ImageInfo& stored, const std::string& name) {
  const bool is_same = file.number(TIFFTAG_IMAGEWIDTH) == stored.width &&
                       file.number(TIFFTAG_IMAGELENGTH) == stored.height;
  if (!is_same) file.refuse_damaged();
  // Turned by the caller, so that libtiff, which only knows half of the ways, must not.
  if (TIFFSetField(file.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT) == 0) {
    file.refuse_damaged();
  }
  const Layout layout = layout_of(file, name);
  require_palette(bytes, layout, name);
  require_whole_numbers(layout, name);
  if (layout.is_tiled) require_small_tiles(file, stored, name);
  return layout;
}

}  // namespace

Image decode_tiff(std::span<const std::byte> bytes, const ImageInfo& info,
                  const std::string& name) {
  const TiffFile file(bytes, name);
  ImageInfo stored = info;
  if (swaps_sides(info.orientation)) std::swap(stored.width, stored.height);
  const Layout layout = checked_layout(file, bytes, stored, name);
  return to_rgb(is_deep(layout) ? read_deep(file, layout, stored)
                                : read_as_rgba(file, layout, stored));
}

std::optional<std::vector<std::uint16_t>> decode_deep_tiff(std::span<const std::byte> bytes,
                                                           const ImageInfo& info,
                                                           const std::string& name) {
  const TiffFile file(bytes, name);
  const Layout layout = checked_layout(file, bytes, info, name);
  if (!is_deep(layout) || layout.channels != 1) return std::nullopt;
  return DeepReader<std::uint16_t>(file, layout, info).read();
}

}  // namespace caos::vision
