#include "caos/vision/encode.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "caos/core/error.hpp"

namespace caos::vision {
namespace {

cv::Mat as_bgr(const Image& image) {
  assert(image.rgb.size() == image.width * image.height * 3);
  const cv::Mat rgb(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC3,
                    const_cast<std::uint8_t*>(image.rgb.data()));
  cv::Mat bgr;
  cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
  return bgr;
}

std::vector<std::byte> encode(const Image& image, const char* extension,
                              const std::vector<int>& options) {
  require(image.width > 0 && image.height > 0, ErrorKind::invalid_input,
          "an image without pixels cannot be written");
  std::vector<std::uint8_t> buffer;
  try {
    cv::imencode(extension, as_bgr(image), buffer, options);
  } catch (const cv::Exception& error) {
    throw Error(ErrorKind::backend,
                fmt::format("an image cannot be written as {}: {}", extension, error.err));
  }
  require(!buffer.empty(), ErrorKind::backend,
          [&] { return fmt::format("an image cannot be written as {}", extension); });
  const auto* const first = reinterpret_cast<const std::byte*>(buffer.data());
  return {first, first + buffer.size()};
}

}  // namespace

std::vector<std::byte> encode_jpeg(const Image& image, int quality) {
  require(quality >= 0 && quality <= 100, ErrorKind::invalid_input,
          "the quality of a JPEG must lie between 0 and 100");
  return encode(image, ".jpg", {cv::IMWRITE_JPEG_QUALITY, quality});
}

std::vector<std::byte> encode_png(const Image& image) { return encode(image, ".png", {}); }

}  // namespace caos::vision
