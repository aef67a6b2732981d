#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

#include "caos/vision/decode.hpp"
#include "tests/vision/image_files.hpp"

/// What OpenCV reads from image files, as an oracle.
namespace opencv_pixels {

using image_files::Bytes;

inline cv::Mat read(const Bytes& bytes) {
  const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8U,
                       const_cast<std::byte*>(bytes.data()));
  return cv::imdecode(buffer, cv::IMREAD_UNCHANGED);
}

/// Channel `c` of a pixel in 8 bits.
inline unsigned sample(const cv::Mat& mat, int x, int y, int c) {
  const int at = x * mat.channels() + c;
  if (mat.depth() == CV_8U) return mat.ptr<std::uint8_t>(y)[at];
  return (mat.ptr<std::uint16_t>(y)[at] + 128U) / 257U;
}

/// RGB on white, from grey, BGR or BGRA.
inline std::vector<std::uint8_t> rgb_of(const cv::Mat& mat, bool has_alpha) {
  std::vector<std::uint8_t> rgb;
  for (int y = 0; y < mat.rows; ++y) {
    for (int x = 0; x < mat.cols; ++x) {
      const unsigned alpha = has_alpha && mat.channels() == 4 ? sample(mat, x, y, 3) : 255;
      for (int c = 0; c < 3; ++c) {
        const unsigned value = sample(mat, x, y, mat.channels() == 1 ? 0 : 2 - c);
        const unsigned white = 255 * (255 - alpha);
        rgb.push_back(static_cast<std::uint8_t>((value * alpha + white + 127) / 255));
      }
    }
  }
  return rgb;
}

/// Expects that decode_image gives the pixels that OpenCV gives.
inline void expect_equal(const Bytes& bytes, const std::string& kind, bool has_alpha = true) {
  const cv::Mat mat = read(bytes);
  ASSERT_FALSE(mat.empty()) << kind;
  const auto image = caos::vision::decode_image(bytes, kind);
  ASSERT_EQ(image.width, static_cast<std::size_t>(mat.cols)) << kind;
  ASSERT_EQ(image.height, static_cast<std::size_t>(mat.rows)) << kind;
  ASSERT_TRUE(image.rgb == rgb_of(mat, has_alpha)) << kind;
}

}  // namespace opencv_pixels
