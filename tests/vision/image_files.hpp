#pragma once

#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

/// Image files in memory, for tests.
namespace image_files {

using Bytes = std::vector<std::byte>;

inline Bytes encode(const std::string& extension, const cv::Mat& bgr,
                    const std::vector<int>& options = {}) {
  std::vector<std::uint8_t> buffer;
  cv::imencode(extension, bgr, buffer, options);
  const auto* const first = reinterpret_cast<const std::byte*>(buffer.data());
  return {first, first + buffer.size()};
}

/// Smooth in all channels, different in all corners.
inline cv::Mat gradient(int width, int height) {
  cv::Mat mat(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      mat.at<cv::Vec3b>(y, x) = {cv::saturate_cast<std::uint8_t>(x * 255 / width),
                                 cv::saturate_cast<std::uint8_t>(y * 255 / height),
                                 cv::saturate_cast<std::uint8_t>(200 - x - y)};
    }
  }
  return mat;
}

/// An APP1 segment with one tag: the orientation.
inline Bytes exif_segment(int orientation, bool big_endian) {
  std::vector<int> tiff;
  if (big_endian) {
    tiff = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0};
  } else {
    tiff = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0};
  }
  tiff.insert(tiff.end(), {0, 0, 0, 0});  // no further directory
  std::vector<int> segment = {0xff, 0xe1, 0, static_cast<int>(8 + tiff.size()), 'E', 'x', 'i',
                              'f',  0,    0};
  segment.insert(segment.end(), tiff.begin(), tiff.end());
  Bytes bytes;
  for (const int value : segment) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// A JPEG with that segment after its first marker.
inline Bytes oriented(Bytes jpeg, int orientation, bool big_endian = false) {
  const Bytes segment = exif_segment(orientation, big_endian);
  jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
  return jpeg;
}

}  // namespace image_files
