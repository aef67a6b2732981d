#include "caos/vision/decode.hpp"

#include <fmt/format.h>

#include <opencv2/core.hpp>
#include <utility>

#include "caos/vision/completeness.hpp"
#include "caos/vision/decode_bmp.hpp"
#include "caos/vision/decode_jpeg.hpp"
#include "caos/vision/decode_png.hpp"
#include "caos/vision/decode_tiff.hpp"
#include "caos/vision/decode_webp.hpp"
#include "caos/vision/probe.hpp"
#include "caos/vision/refuse.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

Image to_image(const cv::Mat& rgb) {
  Image image{.width = static_cast<std::size_t>(rgb.cols),
              .height = static_cast<std::size_t>(rgb.rows)};
  image.rgb.assign(rgb.datastart, rgb.dataend);
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
