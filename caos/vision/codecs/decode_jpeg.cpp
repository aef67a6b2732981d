#include "caos/vision/codecs/decode_jpeg.hpp"

#include <fmt/format.h>
#include <turbojpeg.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

struct Destroy {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Decompressor = std::unique_ptr<void, Destroy>;

/// Adobe's way, which is every camera's and printer's: inverted, so that 255 means without ink.
std::vector<std::uint8_t> rgb_of_cmyk(const std::vector<std::uint8_t>& cmyk) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(cmyk.size() / 4 * 3);
  for (std::size_t i = 0; i + 4 <= cmyk.size(); i += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      rgb.push_back(static_cast<std::uint8_t>((cmyk[i + c] * cmyk[i + 3] + 127U) / 255U));
    }
  }
  return rgb;
}

}  // namespace

Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  const Decompressor handle(tjInitDecompress());
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto fail = [&] {
    refuse(name,
           fmt::format("is damaged ({}); save or copy it again", tjGetErrorStr2(handle.get())));
  };
  int width = 0;
  int height = 0;
  int sampling = 0;
  int colors = 0;
  if (tjDecompressHeader3(handle.get(), data, bytes.size(), &width, &height, &sampling, &colors) !=
      0) {
    fail();
  }
  const bool is_cmyk = colors == TJCS_CMYK || colors == TJCS_YCCK;
  const int format = is_cmyk ? TJPF_CMYK : TJPF_RGB;
  Image image{.width = static_cast<std::size_t>(width), .height = static_cast<std::size_t>(height)};
  image.rgb.resize(image.width * image.height * (is_cmyk ? 4 : 3));
  if (tjDecompress2(handle.get(), data, bytes.size(), image.rgb.data(), width, 0, height, format,
                    TJFLAG_STOPONWARNING | TJFLAG_ACCURATEDCT) != 0) {
    fail();
  }
  if (is_cmyk) image.rgb = rgb_of_cmyk(image.rgb);
  return image;
}

}  // namespace caos::vision
