#include "caos/vision/decode_webp.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/vision/damaged_files.hpp"
#include "tests/vision/opencv_pixels.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using image_files::encode;
using test::expect_error;

constexpr int lossless = 101;  // a quality, to OpenCV

cv::Mat noise(int type) {
  cv::Mat mat(35, 61, type);
  cv::RNG(5).fill(mat, cv::RNG::UNIFORM, 0, 256);
  return mat;
}

TEST(DecodeWebp, GivesThePixelsThatOpenCvGives) {
  for (const int quality : {10, 75, 100, lossless}) {
    const std::vector<int> options = {cv::IMWRITE_WEBP_QUALITY, quality};
    const std::string kind = std::to_string(quality);
    opencv_pixels::expect_equal(encode(".webp", noise(CV_8UC1), options), "grey " + kind);
    opencv_pixels::expect_equal(encode(".webp", noise(CV_8UC3), options), "colour " + kind);
    opencv_pixels::expect_equal(encode(".webp", noise(CV_8UC4), options), "alpha " + kind);
  }
}

TEST(DecodeWebp, RefusesAnimations) {
  Bytes bytes;
  const std::string header("RIFF\x12\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x08\0\0\x06\0\0", 30);
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  expect_error([&] { (void)decode_image(bytes, "x.webp"); }, ErrorKind::bad_format,
               {"x.webp: is an animation; save one of its pictures"});
}

TEST(DecodeWebp, TakesNoHarmFromDamagedFiles) {
  for (const int quality : {75, lossless}) {
    const Bytes webp = encode(".webp", noise(CV_8UC4), {cv::IMWRITE_WEBP_QUALITY, quality});
    damaged_files::expect_no_part(webp, "x.webp");
    damaged_files::expect_no_harm(webp, "x.webp", 1000);
  }
}

}  // namespace
}  // namespace caos::vision
