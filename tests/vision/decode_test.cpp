#include "caos/vision/decode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/expect_error.hpp"
#include "tests/vision/image_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using image_files::encode;
using image_files::gradient;
using test::expect_error;
using Rgb = std::array<int, 3>;

Rgb pixel(const Image& image, std::size_t x, std::size_t y) {
  const auto* const p = &image.rgb[(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

/// The pixel of an OpenCV image, which is BGR.
Rgb pixel(const cv::Mat& mat, int x, int y) {
  const auto p = mat.at<cv::Vec3b>(y, x);
  return {p[2], p[1], p[0]};
}

void expect_near(const Rgb& actual, const Rgb& expected, int tolerance) {
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(actual[c], expected[c], tolerance);
}

Bytes first_part(const Bytes& bytes, std::size_t size) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(Decode, KeepsThePixelsOfLosslessFormats) {
  const cv::Mat mat = gradient(61, 37);
  for (const std::string extension : {".png", ".tiff", ".bmp"}) {
    const Image image = decode_image(encode(extension, mat), "x");
    ASSERT_EQ(image.width, 61U);
    ASSERT_EQ(image.height, 37U);
    for (int y = 0; y < 37; ++y) {
      for (int x = 0; x < 61; ++x) {
        ASSERT_EQ(pixel(image, static_cast<std::size_t>(x), static_cast<std::size_t>(y)),
                  pixel(mat, x, y));
      }
    }
  }
}

TEST(Decode, ReadsJpegAndWebp) {
  const cv::Mat mat = gradient(61, 37);
  for (const std::string extension : {".jpg", ".webp"}) {
    const Image image = decode_image(encode(extension, mat), "x");
    expect_near(pixel(image, 30, 20), pixel(mat, 30, 20), 6);
  }
}

/// Where the stored pixel (x, y) of a 40 x 24 image is displayed.
std::pair<std::size_t, std::size_t> displayed(int orientation, std::size_t x, std::size_t y) {
  const std::size_t right = 39 - x;
  const std::size_t below = 23 - y;
  switch (orientation) {
    case 2:
      return {right, y};
    case 3:
      return {right, below};
    case 4:
      return {x, below};
    case 5:
      return {y, x};
    case 6:
      return {below, x};
    case 7:
      return {below, right};
    case 8:
      return {y, right};
    default:
      return {x, y};
  }
}

TEST(Decode, TurnsJpegFilesUpright) {
  const Bytes jpeg = encode(".jpg", gradient(40, 24));
  const Image stored = decode_image(jpeg, "x.jpg");
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image image = decode_image(image_files::oriented(jpeg, orientation), "x.jpg");
    ASSERT_EQ(image.width, orientation < 5 ? 40U : 24U);
    for (std::size_t y = 0; y < 24; ++y) {
      for (std::size_t x = 0; x < 40; ++x) {
        const auto [to_x, to_y] = displayed(orientation, x, y);
        ASSERT_EQ(pixel(image, to_x, to_y), pixel(stored, x, y)) << orientation;
      }
    }
  }
}

TEST(Decode, LeavesJpegFilesAsStoredOnRequest) {
  const Bytes jpeg = encode(".jpg", gradient(40, 24));
  const DecodeOptions as_stored{.apply_orientation = false};
  const Image image = decode_image(image_files::oriented(jpeg, 6), "x.jpg", as_stored);
  EXPECT_EQ(image.rgb, decode_image(jpeg, "x.jpg").rgb);
  EXPECT_EQ(image.width, 40U);
}

TEST(Decode, Rounds16BitsTo8) {
  cv::Mat mat(1, 4, CV_16UC3);
  const std::array<std::uint16_t, 4> values = {128, 129, 65535, 257 * 77 + 128};
  for (int x = 0; x < 4; ++x)
    mat.at<cv::Vec3w>(0, x) = cv::Vec3w::all(values[static_cast<std::size_t>(x)]);
  const Image image = decode_image(encode(".png", mat), "x.png");
  EXPECT_EQ(pixel(image, 0, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(image, 1, 0), (Rgb{1, 1, 1}));
  EXPECT_EQ(pixel(image, 2, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(image, 3, 0), (Rgb{77, 77, 77}));
}

TEST(Decode, ReadsGreyAsEqualColours) {
  const cv::Mat grey(5, 4, CV_8UC1, cv::Scalar(93));
  const cv::Mat deep(5, 4, CV_16UC1, cv::Scalar(93 * 257));
  for (const std::string extension : {".png", ".tiff", ".bmp", ".jpg"}) {
    EXPECT_EQ(pixel(decode_image(encode(extension, grey), "x"), 3, 4), (Rgb{93, 93, 93}));
  }
  EXPECT_EQ(pixel(decode_image(encode(".tiff", deep), "x"), 3, 4), (Rgb{93, 93, 93}));
}

TEST(Decode, LaysTransparentPixelsOnWhite) {
  cv::Mat mat(1, 3, CV_8UC4);
  mat.at<cv::Vec4b>(0, 0) = {10, 20, 30, 255};
  mat.at<cv::Vec4b>(0, 1) = {10, 20, 30, 0};
  mat.at<cv::Vec4b>(0, 2) = {0, 100, 200, 51};
  const Image image = decode_image(encode(".png", mat), "x.png");
  EXPECT_EQ(pixel(image, 0, 0), (Rgb{30, 20, 10}));
  EXPECT_EQ(pixel(image, 1, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(image, 2, 0), (Rgb{244, 224, 204}));
}

TEST(Decode, ReadsPalettes) {
  const cv::Mat two(8, 8, CV_8UC1, cv::Scalar(255));
  const Bytes png = encode(".png", two, {cv::IMWRITE_PNG_BILEVEL, 1});
  EXPECT_EQ(pixel(decode_image(png, "x.png"), 7, 7), (Rgb{255, 255, 255}));
}

TEST(Decode, RefusesImagesThatAreTooLarge) {
  const Bytes png = encode(".png", gradient(61, 37));
  EXPECT_NO_THROW((void)decode_image(png, "x.png", {.max_pixels = std::size_t{61} * 37}));
  expect_error([&] { (void)decode_image(png, "x.png", {.max_pixels = 61 * 37 - 1}); },
               ErrorKind::bad_format, {"x.png: has 61 x 37 pixels; at most 2256"});
}

TEST(Decode, RefusesHugeSizesBeforeTheyTakeMemory) {
  Bytes bmp = encode(".bmp", gradient(9, 7));
  for (const std::size_t at : {20U, 24U}) bmp[at] = std::byte{0x7f};
  expect_error([&] { (void)decode_image(bmp, "x.bmp"); }, ErrorKind::bad_format,
               {"x.bmp: has 8323081 x 8323079 pixels; at most 200000000"});
}

TEST(Decode, RefusesEveryTruncationWithoutAWord) {
  for (const std::string extension : {".jpg", ".png", ".webp", ".tiff", ".bmp"}) {
    const Bytes whole = encode(extension, gradient(61, 37));
    testing::internal::CaptureStderr();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string name = "x" + extension;
      expect_error([&] { (void)decode_image(first_part(whole, size), name); },
                   ErrorKind::bad_format, {name + ": "});
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << extension;
  }
}

TEST(Decode, SaysThatAFileIsTruncated) {
  for (const std::string extension : {".jpg", ".png", ".webp", ".bmp"}) {
    const Bytes whole = encode(extension, gradient(61, 37));
    expect_error([&] { (void)decode_image(first_part(whole, whole.size() - 1), "x"); },
                 ErrorKind::bad_format, {"x: is truncated: it ends before its last pixels"});
  }
}

TEST(Decode, AllowsBytesAfterTheEnd) {
  for (const std::string extension : {".jpg", ".png", ".bmp"}) {
    Bytes bytes = encode(extension, gradient(61, 37));
    bytes.insert(bytes.end(), 100, std::byte{0x55});
    EXPECT_EQ(decode_image(bytes, "x").width, 61U) << extension;
  }
}

TEST(Decode, RefusesEveryAlterationOfAPngsData) {
  const Bytes png = encode(".png", gradient(9, 7));
  testing::internal::CaptureStderr();
  for (std::size_t at = 0; at < png.size() - 12; ++at) {
    Bytes altered = png;
    altered[at] ^= std::byte{0x10};
    expect_error([&] { (void)decode_image(altered, "x.png"); }, ErrorKind::bad_format, {"x.png: "});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Decode, GivesTheJpegPixelsThatOpenCvGives) {
  const Bytes jpeg = encode(".jpg", gradient(61, 35));
  const Image image = decode_image(jpeg, "x.jpg");
  const cv::Mat bgr = cv::imdecode(
      cv::Mat(1, static_cast<int>(jpeg.size()), CV_8U, const_cast<std::byte*>(jpeg.data())),
      cv::IMREAD_COLOR);
  for (std::size_t y = 0; y < 35; ++y) {
    for (std::size_t x = 0; x < 61; ++x) {
      const auto& expected = bgr.at<cv::Vec3b>(static_cast<int>(y), static_cast<int>(x));
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_EQ(image.rgb[(y * 61 + x) * 3 + c], expected[static_cast<int>(2 - c)]);
      }
    }
  }
}

TEST(Decode, RefusesJpegFilesWhosePixelsAreDamaged) {
  const Bytes jpeg = encode(".jpg", gradient(200, 200));
  Bytes damaged = jpeg;
  // Within the coded pixels; the file still ends as it should.
  std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(jpeg.size() / 2), 60, std::byte{0x5A});
  testing::internal::CaptureStderr();
  expect_error([&] { (void)decode_image(damaged, "x.jpg"); }, ErrorKind::bad_format,
               {"x.jpg: is damaged"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Decode, ReadsProgressiveJpegWithRestarts) {
  const Bytes jpeg = encode(".jpg", gradient(161, 137),
                            {cv::IMWRITE_JPEG_PROGRESSIVE, 1, cv::IMWRITE_JPEG_RST_INTERVAL, 2});
  EXPECT_EQ(decode_image(jpeg, "x.jpg").height, 137U);
}

}  // namespace
}  // namespace caos::vision
