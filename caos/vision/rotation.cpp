#include "caos/vision/rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "caos/error.hpp"

namespace caos::vision {
namespace {

/// Sines and cosines are whole numbers of this unit, so that no library's last bit matters.
constexpr int angle_bits = 30;
constexpr std::int64_t angle_one = std::int64_t{1} << angle_bits;

struct Direction {
  explicit Direction(double degrees)
      : c(std::llround(std::cos(degrees * std::numbers::pi / 180) * angle_one)),
        s(std::llround(std::sin(degrees * std::numbers::pi / 180) * angle_one)) {}

  std::int64_t c;
  std::int64_t s;
};

std::int64_t signed_size(std::size_t size) { return static_cast<std::int64_t>(size); }

/// Two neighbors along an axis, and the weight of the second in parts of 256.
struct Between {
  /// `place` counts half pixels times `angle_one`, from the center of the first pixel.
  Between(std::int64_t place, std::size_t size) {
    constexpr int pixel_bits = angle_bits + 1;
    const std::int64_t whole = place >> pixel_bits;
    const auto clamped = [&](std::int64_t at) {
      return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, signed_size(size) - 1));
    };
    first = clamped(whole);
    second = clamped(whole + 1);
    weight = static_cast<std::uint32_t>((place >> (pixel_bits - 8)) & 255);
  }

  std::size_t first;
  std::size_t second;
  std::uint32_t weight;
};

void mix(const Image& image, const Between& x, const Between& y, std::uint8_t* out) {
  const auto at = [&](std::size_t column, std::size_t row, std::size_t channel) -> std::uint32_t {
    return image.rgb[3 * (row * image.width + column) + channel];
  };
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const std::uint32_t above = at(x.first, y.first, channel) * (256 - x.weight) +
                                at(x.second, y.first, channel) * x.weight;
    const std::uint32_t below = at(x.first, y.second, channel) * (256 - x.weight) +
                                at(x.second, y.second, channel) * x.weight;
    out[channel] =
        static_cast<std::uint8_t>((above * (256 - y.weight) + below * y.weight + 32'768) >> 16U);
  }
}

constexpr std::array<double, 4> small_angles{-30, -15, 15, 30};
constexpr std::array<double, 11> all_angles{30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330};

}  // namespace

Rotation parse_rotation(std::string_view text) {
  for (const Rotation rotation : {Rotation::none, Rotation::small, Rotation::any}) {
    if (text == rotation_name(rotation)) return rotation;
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("rotation '{}': expected none, small (up to 30 degrees) or any", text));
}

std::string rotation_name(Rotation rotation) {
  switch (rotation) {
    case Rotation::none:
      return "none";
    case Rotation::small:
      return "small";
    case Rotation::any:
      break;
  }
  return "any";
}

std::string rotation_description(Rotation rotation) {
  if (rotation == Rotation::none) return "";
  return fmt::format(", references at {} rotations{}", angles_of(rotation).size() + 1,
                     rotation == Rotation::small ? " up to 30 degrees" : "");
}

std::span<const double> angles_of(Rotation rotation) {
  if (rotation == Rotation::none) return {};
  return rotation == Rotation::small ? std::span<const double>(small_angles) : all_angles;
}

ImageSize rotated_size(ImageSize size, double degrees) {
  const Direction to(degrees);
  const std::int64_t c = std::abs(to.c);
  const std::int64_t s = std::abs(to.s);
  const auto whole = [](std::int64_t length) {
    return static_cast<std::size_t>((length + angle_one - 1) >> angle_bits);
  };
  const std::int64_t width = signed_size(size.width);
  const std::int64_t height = signed_size(size.height);
  return {.width = whole(width * c + height * s), .height = whole(width * s + height * c)};
}

Point rotated_point(Point point, ImageSize size, double degrees) {
  const Direction to(degrees);
  const double c = static_cast<double>(to.c) / angle_one;
  const double s = static_cast<double>(to.s) / angle_one;
  const ImageSize canvas = rotated_size(size, degrees);
  const double x = point.x - static_cast<double>(size.width) / 2;
  const double y = point.y - static_cast<double>(size.height) / 2;
  // Points at the edge stay within the canvas although products are rounded.
  const auto inside = [](double at, std::size_t end) {
    return std::clamp(at, 0.0, std::nextafter(static_cast<double>(end), 0.0));
  };
  return {.x = inside(c * x - s * y + static_cast<double>(canvas.width) / 2, canvas.width),
          .y = inside(s * x + c * y + static_cast<double>(canvas.height) / 2, canvas.height)};
}

Image rotated_image(const Image& image, ImageSize part, double degrees) {
  assert(part.width <= image.width && part.height <= image.height);
  const Direction to(degrees);
  const ImageSize canvas = rotated_size(part, degrees);
  Image result{.width = canvas.width, .height = canvas.height};
  result.rgb.resize(3 * canvas.width * canvas.height);
  std::uint8_t* out = result.rgb.data();
  for (std::size_t row = 0; row < canvas.height; ++row) {
    // In half pixels from the center of the canvas, so that centers of pixels are whole numbers.
    const std::int64_t v = 2 * signed_size(row) + 1 - signed_size(canvas.height);
    for (std::size_t column = 0; column < canvas.width; ++column, out += 3) {
      const std::int64_t u = 2 * signed_size(column) + 1 - signed_size(canvas.width);
      const std::int64_t x = to.c * u + to.s * v + (signed_size(part.width) - 1) * angle_one;
      const std::int64_t y = to.c * v - to.s * u + (signed_size(part.height) - 1) * angle_one;
      mix(image, Between(x, part.width), Between(y, part.height), out);
    }
  }
  return result;
}

}  // namespace caos::vision
