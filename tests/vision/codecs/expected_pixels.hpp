#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>

#include "caos/io/checksum.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "tests/support/test_folders.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

/// What OpenCV 4.6 read from image files, as an oracle: tests/data/images/pixels.txt has a line
/// "width height checksum name" for each file, where the checksum is of RGB on white.
namespace expected_pixels {

using image_files::Bytes;

/// Size and checksum, as in a line of that file.
inline std::string summary_of(const caos::vision::Image& image) {
  return fmt::format("{} {} {}", image.width, image.height,
                     caos::io::checksum({std::as_bytes(std::span(image.rgb))}));
}

inline std::map<std::string, std::string> load() {
  std::ifstream file(caos::test::image_files_folder() + "pixels.txt");
  std::map<std::string, std::string> summaries;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string width;
    std::string height;
    std::string checksum;
    std::string name;
    words >> width >> height >> checksum >> std::ws;
    std::getline(words, name);
    const bool is_new = summaries.emplace(name, width + " " + height + " " + checksum).second;
    EXPECT_TRUE(is_new) << name;
  }
  return summaries;
}

/// Expects that an image is what OpenCV read from the file of that name.
inline void expect_image(const caos::vision::Image& image, const std::string& name) {
  static const std::map<std::string, std::string> summaries = load();
  const auto found = summaries.find(name);
  ASSERT_NE(found, summaries.end()) << name;
  EXPECT_EQ(summary_of(image), found->second) << name;
}

/// Expects that decode_image gives the pixels that OpenCV gave.
inline void expect_equal(const Bytes& bytes, const std::string& name) {
  expect_image(caos::vision::decode_image(bytes, name), name);
}

/// The same for a file of tests/data/images.
inline void expect_equal(const std::string& file) { expect_equal(image_files::read(file), file); }

}  // namespace expected_pixels
