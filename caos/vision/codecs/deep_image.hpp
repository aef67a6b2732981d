#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"

namespace caos::vision {

/// A gray image with more than 8 bits a pixel, from 0 to 65535, row after row.
struct DeepImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint16_t> values{};
};

/// Which values are shown: `low` as black, `high` as white, and between them in proportion.
struct Window {
  std::uint16_t low = 0;
  std::uint16_t high = 65535;

  friend bool operator==(const Window&, const Window&) = default;
};

/// Whether a PNG or TIFF file has gray pixels of more than 8 bits that `decode_deep` gives. Reads
/// its header only.
[[nodiscard]] bool is_deep_image(std::span<const std::byte> bytes);

/// The pixels of such a file as they are; nothing for other files. Throws `bad_format` as
/// `decode_image` does.
[[nodiscard]] std::optional<DeepImage> decode_deep(std::span<const std::byte> bytes,
                                                   const std::string& name);

/// The smallest values that at least these shares of pixels do not exceed, with low < high.
/// Requires pixels and 0 <= low_share < high_share <= 1.
[[nodiscard]] Window window_of_shares(const DeepImage& image, double low_share, double high_share);

/// The image in 8 bits. Requires low < high.
[[nodiscard]] Image windowed(const DeepImage& image, const Window& window);

/// The bytes of a gray PNG file of 16 bits, from which `decode_deep` gives the same pixels.
[[nodiscard]] std::vector<std::byte> encode_deep_png(const DeepImage& image);

}  // namespace caos::vision
