#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "tests/support/test_folders.hpp"

/// Image files in memory, for tests.
namespace image_files {

using Bytes = std::vector<std::byte>;

/// A file of tests/data/images. All were written by OpenCV 4.6 or libtiff 4.5.
inline Bytes read(const std::string& name) {
  std::ifstream file(caos::test::image_files_folder() + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const auto* const first = reinterpret_cast<const std::byte*>(content.data());
  return {first, first + content.size()};
}

/// The file with gradient(width, height).
inline Bytes gradient_file(std::size_t width, std::size_t height, const std::string& extension) {
  return read(fmt::format("gradient-{}x{}{}", width, height, extension));
}

/// Smooth in all channels, different in all corners.
inline caos::vision::Image gradient(std::size_t width, std::size_t height) {
  caos::vision::Image image{.width = width, .height = height};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t red = x + y < 200 ? 200 - x - y : 0;
      for (const std::size_t value : {red, y * 255 / height, x * 255 / width}) {
        image.rgb.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return image;
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
