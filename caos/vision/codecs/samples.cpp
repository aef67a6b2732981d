#include "caos/vision/codecs/samples.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace caos::vision {
namespace {

using Values = std::vector<std::uint8_t>;

Values rgb_of_gray(const Values& gray) {
  Values rgb;
  rgb.reserve(gray.size() * 3);
  for (const std::uint8_t value : gray) rgb.insert(rgb.end(), 3, value);
  return rgb;
}

std::uint8_t on_white(unsigned value, unsigned alpha) {
  return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

std::uint8_t premultiplied_on_white(unsigned value, unsigned alpha) {
  return static_cast<std::uint8_t>(std::min(255U, value + 255 - alpha));
}

Values rgb_on_white(const Values& rgba, bool is_premultiplied) {
  const auto lay = is_premultiplied ? premultiplied_on_white : on_white;
  Values rgb(rgba.size() / 4 * 3);
  auto* to = rgb.data();
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    for (std::size_t c = 0; c < 3; ++c) *to++ = lay(rgba[i + c], rgba[i + 3]);
  }
  return rgb;
}

}  // namespace

Image to_rgb(Samples samples) {
  assert(samples.values.size() == samples.width * samples.height * samples.channels);
  Image image{.width = samples.width, .height = samples.height};
  if (samples.channels == 1) {
    image.rgb = rgb_of_gray(samples.values);
  } else if (samples.channels == 4) {
    image.rgb = rgb_on_white(samples.values, samples.is_premultiplied);
  } else {
    image.rgb = std::move(samples.values);
  }
  return image;
}

}  // namespace caos::vision
