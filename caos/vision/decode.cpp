#include "caos/vision/decode.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "caos/vision/completeness.hpp"
#include "caos/vision/decode_jpeg.hpp"
#include "caos/vision/probe.hpp"
#include "caos/vision/refuse.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

/// OpenCV would log to stderr by itself; what it has to say comes back as an Error.
void silence_opencv() {
  static const bool done = [] {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    return true;
  }();
  (void)done;
}

cv::Mat decode_with_opencv(Bytes bytes, const std::string& name) {
  silence_opencv();
  const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8U,
                       const_cast<std::byte*>(bytes.data()));
  try {
    return cv::imdecode(buffer, cv::IMREAD_UNCHANGED);
  } catch (const cv::Exception& error) {
    refuse(name, fmt::format("cannot be decoded: {}", error.err));
  }
}

cv::Mat decode_as_stored(Bytes bytes, const ImageInfo& info, const std::string& name) {
  if (bytes.size() > static_cast<std::size_t>(INT32_MAX)) refuse(name, "is larger than 2 GiB");
  if (info.format != ImageFormat::png) return decode_with_opencv(bytes, name);
  return decode_with_opencv(essential_png(bytes), name);
}

/// v / 257 takes 65535 to 255; the quotient is never halfway between two numbers.
cv::Mat to_8_bits(const cv::Mat& mat, const std::string& name) {
  if (mat.depth() == CV_8U) return mat;
  if (mat.depth() != CV_16U) {
    refuse(name, "has pixels that are not whole numbers of 8 or 16 bits; convert it to 8 bits");
  }
  cv::Mat result(mat.size(), CV_MAKETYPE(CV_8U, mat.channels()));
  const int count = mat.cols * mat.channels();
  for (int y = 0; y < mat.rows; ++y) {
    const auto* const from = mat.ptr<std::uint16_t>(y);
    auto* const to = result.ptr<std::uint8_t>(y);
    for (int i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>((from[i] + 128U) / 257U);
  }
  return result;
}

std::uint8_t on_white(unsigned value, unsigned alpha) {
  return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

cv::Mat rgb_on_white(const cv::Mat& bgra) {
  cv::Mat result(bgra.size(), CV_8UC3);
  for (int y = 0; y < bgra.rows; ++y) {
    const auto* const from = bgra.ptr<cv::Vec4b>(y);
    auto* const to = result.ptr<cv::Vec3b>(y);
    for (int x = 0; x < bgra.cols; ++x) {
      for (int c = 0; c < 3; ++c) to[x][c] = on_white(from[x][2 - c], from[x][3]);
    }
  }
  return result;
}

cv::Mat to_rgb(const cv::Mat& mat, const ImageInfo& info, const std::string& name) {
  cv::Mat rgb;
  switch (mat.channels()) {
    case 1:
      cv::cvtColor(mat, rgb, cv::COLOR_GRAY2RGB);
      return rgb;
    case 3:
      cv::cvtColor(mat, rgb, cv::COLOR_BGR2RGB);
      return rgb;
    case 4:
      if (info.format != ImageFormat::bmp) return rgb_on_white(mat);
      // The fourth byte of a BMP pixel is mostly unused and zero, not transparency.
      cv::cvtColor(mat, rgb, cv::COLOR_BGRA2RGB);
      return rgb;
    default:
      refuse(name,
             fmt::format("has {} channels; grey and colour images can be read", mat.channels()));
  }
}

Image to_image(const cv::Mat& rgb) {
  Image image{.width = static_cast<std::size_t>(rgb.cols),
              .height = static_cast<std::size_t>(rgb.rows)};
  image.rgb.reserve(image.width * image.height * 3);
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* const row = rgb.ptr<std::uint8_t>(y);
    image.rgb.insert(image.rgb.end(), row, row + image.width * 3);
  }
  return image;
}

/// Undoes an EXIF orientation.
Image upright(Image image, int orientation) {
  if (orientation == 1) return image;
  constexpr int about_x = 0;
  constexpr int about_y = 1;
  constexpr int about_both = -1;
  const cv::Mat mat(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC3,
                    image.rgb.data());
  cv::Mat result = swaps_sides(orientation) ? cv::Mat(mat.t()) : mat.clone();
  if (orientation == 2 || orientation == 6) cv::flip(result, result, about_y);
  if (orientation == 3 || orientation == 7) cv::flip(result, result, about_both);
  if (orientation == 4 || orientation == 8) cv::flip(result, result, about_x);
  return to_image(result);
}

}  // namespace

void require_fits(const ImageInfo& info, const DecodeOptions& options, const std::string& name) {
  constexpr std::size_t longest_side = std::size_t{1} << 20;  // OpenCV's own limit
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
  if (info.format == ImageFormat::jpeg) {
    Image stored = decode_jpeg(bytes, name);
    return options.apply_orientation ? upright(std::move(stored), info.orientation) : stored;
  }
  const cv::Mat stored = decode_as_stored(bytes, info, name);
  if (stored.empty()) refuse(name, "is damaged; save or copy it again");
  return to_image(to_rgb(to_8_bits(stored, name), info, name));
}

}  // namespace caos::vision
