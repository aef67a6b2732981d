#include "caos/vision/codecs/deep_image.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/completeness.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/decode_png.hpp"
#include "caos/vision/codecs/decode_tiff.hpp"
#include "caos/vision/codecs/tiff_tags.hpp"

namespace caos::vision {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;

bool is_deep_png(Bytes bytes) {
  const ByteReader png(bytes, ByteOrder::big);
  return png.has(0, "\x89PNG\r\n\x1a\n"sv) && png.u8(24) == 16U && png.u8(25) == 0U;
}

bool is_deep_tiff(Bytes bytes) {
  const auto tags = read_tiff_tags(bytes);
  if (!tags || tags->channels.value_or(1) != 1 || tags->orientation.value_or(1) != 1) return false;
  const std::uint32_t bits = tags->bits.value_or(1);
  const bool is_gray = tags->photometric == 0U || tags->photometric == 1U;
  return is_gray && (bits == 10 || bits == 12 || bits == 14 || bits == 16);
}

}  // namespace

bool is_deep_image(Bytes bytes) { return is_deep_png(bytes) || is_deep_tiff(bytes); }

std::optional<DeepImage> decode_deep(Bytes bytes, const std::string& name) {
  if (!is_deep_image(bytes)) return std::nullopt;
  const ImageInfo info = probe_image(bytes, name);
  require_fits(info, {}, name);
  require_complete(bytes, info.format, name);
  DeepImage image{.width = info.width, .height = info.height};
  if (info.format == ImageFormat::png) {
    image.values = decode_deep_png(bytes, name);
    return image;
  }
  auto values = decode_deep_tiff(bytes, info, name);
  if (!values) return std::nullopt;
  image.values = *std::move(values);
  return image;
}

Window window_of_shares(const DeepImage& image, double low_share, double high_share) {
  assert(!image.values.empty());
  std::vector<std::size_t> counts(65536);
  for (const std::uint16_t value : image.values) ++counts[value];
  const auto value_at = [&](double share) {
    const double pixels = share * static_cast<double>(image.values.size());
    std::size_t sum = 0;
    for (std::size_t value = 0; value < counts.size(); ++value) {
      sum += counts[value];
      if (sum > 0 && static_cast<double>(sum) >= pixels) return value;
    }
    return counts.size() - 1;
  };
  const std::size_t low = std::min<std::size_t>(value_at(low_share), 65534);
  const std::size_t high = std::max(value_at(high_share), low + 1);
  return {static_cast<std::uint16_t>(low), static_cast<std::uint16_t>(high)};
}

Image windowed(const DeepImage& image, const Window& window) {
  assert(window.low < window.high);
  const unsigned width = static_cast<unsigned>(window.high - window.low);
  Image shown{.width = image.width, .height = image.height};
  shown.rgb.reserve(3 * image.values.size());
  for (const std::uint16_t value : image.values) {
    const unsigned above =
        static_cast<unsigned>(std::clamp(value, window.low, window.high)) - window.low;
    shown.rgb.insert(shown.rgb.end(), 3,
                     static_cast<std::uint8_t>((above * 255 + width / 2) / width));
  }
  return shown;
}

}  // namespace caos::vision
