#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "caos/backbone.hpp"

// For the decoders of this module; not for users of the library.
namespace caos::vision {

/// The pixels of a file row after row, in 8 bits: gray (1), RGB (3) or RGBA (4).
struct Samples {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> values{};
  bool is_premultiplied = false;  // colors are already multiplied by alpha
};

/// v / 257 takes 65535 to 255; the quotient is never halfway between two numbers.
[[nodiscard]] constexpr std::uint8_t to_8_bits(unsigned deep) {
  return static_cast<std::uint8_t>((deep + 128U) / 257U);
}

/// Equal colors from gray; what is transparent is laid on white.
[[nodiscard]] Image to_rgb(Samples samples);

}  // namespace caos::vision
