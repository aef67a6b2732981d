#include "caos/vision/codecs/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "caos/vision/codecs/completeness.hpp"
#include "caos/vision/codecs/decode_bmp.hpp"
#include "caos/vision/codecs/decode_jpeg.hpp"
#include "caos/vision/codecs/decode_png.hpp"
#include "caos/vision/codecs/decode_tiff.hpp"
#include "caos/vision/codecs/decode_webp.hpp"
#include "caos/vision/codecs/probe.hpp"
#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

/// Where a pixel of a turned image comes from, by an EXIF orientation.
class Turn {
 public:
  Turn(const Image& stored, int orientation)
      : stored_(stored),
        swaps_(swaps_sides(orientation)),
        from_right_(orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7),
        from_below_(orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) {}

  [[nodiscard]] std::size_t width() const { return swaps_ ? stored_.height : stored_.width; }
  [[nodiscard]] std::size_t height() const { return swaps_ ? stored_.width : stored_.height; }

  [[nodiscard]] const std::uint8_t* source_of(std::size_t x, std::size_t y) const {
    if (from_right_) x = width() - 1 - x;
    if (from_below_) y = height() - 1 - y;
    return stored_.rgb.data() + (swaps_ ? x * stored_.width + y : y * stored_.width + x) * 3;
  }

 private:
  const Image& stored_;
  bool swaps_;
  bool from_right_;
  bool from_below_;
};

/// Undoes an EXIF orientation. Pixels are visited in squares, whose rows stay in the CPU's cache in
/// both images.
Image upright(Image stored, int orientation) {
  if (orientation == 1) return stored;
  constexpr std::size_t side = 32;
  const Turn turn(stored, orientation);
  Image image{.width = turn.width(), .height = turn.height()};
  image.rgb.resize(stored.rgb.size());
  for (std::size_t top = 0; top < image.height; top += side) {
    for (std::size_t left = 0; left < image.width; left += side) {
      for (std::size_t y = top; y < std::min(top + side, image.height); ++y) {
        std::uint8_t* to = image.rgb.data() + (y * image.width + left) * 3;
        for (std::size_t x = left; x < std::min(left + side, image.width); ++x) {
          to = std::copy_n(turn.source_of(x, y), 3, to);
        }
      }
    }
  }
  return image;
}

Image decode_as_stored(Bytes bytes, const ImageInfo& info, const std::string& name) {
  switch (info.format) {
    case ImageFormat::jpeg:
      return decode_jpeg(bytes, name);
    case ImageFormat::png:
      return decode_png(bytes, name);
    case ImageFormat::webp:
      return decode_webp(bytes, info, name);
    case ImageFormat::tiff:
      return decode_tiff(bytes, info, name);
    case ImageFormat::bmp:
      break;
  }
  return decode_bmp(bytes, info, name);
}

}  // namespace

void require_fits(const ImageInfo& info, const DecodeOptions& options, const std::string& name) {
  constexpr std::size_t longest_side = std::size_t{1} << 20;
  const bool fits = info.width <= longest_side && info.height <= longest_side &&
                    info.width * info.height <= options.max_pixels;
  if (fits) return;
  refuse(name, fmt::format("has {} x {} pixels; at most {} pixels and {} on a side can be read",
                           info.width, info.height, options.max_pixels, longest_side));
}

Image decode_image(Bytes bytes, const std::string& name, const DecodeOptions& options) {
  const ImageInfo info = probe_image(bytes, name);
  require_fits(info, options, name);
  require_complete(bytes, info.format, name);
  Image stored = decode_as_stored(bytes, info, name);
  const bool is_turned = options.apply_orientation || info.format != ImageFormat::jpeg;
  return is_turned ? upright(std::move(stored), info.orientation) : stored;
}

}  // namespace caos::vision
