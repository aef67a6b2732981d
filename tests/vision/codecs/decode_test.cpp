#include "caos/vision/codecs/decode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using image_files::gradient;
using image_files::gradient_file;
using test::expect_error;
using Rgb = std::array<int, 3>;

Rgb pixel(const Image& image, std::size_t x, std::size_t y) {
  const auto* const p = &image.rgb[(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

void expect_near(const Rgb& actual, const Rgb& expected, int tolerance) {
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(actual[c], expected[c], tolerance);
}

Bytes first_part(const Bytes& bytes, std::size_t size) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(Decode, KeepsThePixelsOfLosslessFormats) {
  for (const std::string extension : {".png", ".tiff", ".bmp", ".webp"}) {
    const Image image = decode_image(gradient_file(61, 37, extension), "x");
    ASSERT_EQ(image.width, 61U);
    ASSERT_EQ(image.height, 37U);
    EXPECT_EQ(image.rgb, gradient(61, 37).rgb) << extension;
  }
}

TEST(Decode, ReadsJpeg) {
  const Image image = decode_image(gradient_file(61, 37, ".jpg"), "x");
  expect_near(pixel(image, 30, 20), pixel(gradient(61, 37), 30, 20), 6);
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
  const Bytes jpeg = gradient_file(40, 24, ".jpg");
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
  const Bytes jpeg = gradient_file(40, 24, ".jpg");
  const DecodeOptions as_stored{.apply_orientation = false};
  const Image image = decode_image(image_files::oriented(jpeg, 6), "x.jpg", as_stored);
  EXPECT_EQ(image.rgb, decode_image(jpeg, "x.jpg").rgb);
  EXPECT_EQ(image.width, 40U);
}

TEST(Decode, Rounds16BitsTo8) {
  // 128, 129, 65535 and 257 * 77 + 128 in all channels.
  const Image image = decode_image(image_files::read("color-16-bits-4x1.png"), "x.png");
  EXPECT_EQ(pixel(image, 0, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(image, 1, 0), (Rgb{1, 1, 1}));
  EXPECT_EQ(pixel(image, 2, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(image, 3, 0), (Rgb{77, 77, 77}));
}

TEST(Decode, ReadsGrayAsEqualColors) {
  for (const std::string file :
       {"gray-4x5.png", "gray-4x5.tiff", "gray-4x5.bmp", "gray-4x5.jpg", "gray-16-bits-4x5.tiff"}) {
    EXPECT_EQ(pixel(decode_image(image_files::read(file), file), 3, 4), (Rgb{93, 93, 93})) << file;
  }
}

TEST(Decode, LaysTransparentPixelsOnWhite) {
  // (30, 20, 10) opaque and transparent, and (200, 100, 0) with an alpha of 51.
  const Image image = decode_image(image_files::read("alpha-3x1.png"), "x.png");
  EXPECT_EQ(pixel(image, 0, 0), (Rgb{30, 20, 10}));
  EXPECT_EQ(pixel(image, 1, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(image, 2, 0), (Rgb{244, 224, 204}));
}

TEST(Decode, ReadsPalettes) {
  const Bytes png = image_files::read("bilevel-8x8.png");
  EXPECT_EQ(pixel(decode_image(png, "x.png"), 7, 7), (Rgb{255, 255, 255}));
}

TEST(Decode, RefusesImagesThatAreTooLarge) {
  const Bytes png = gradient_file(61, 37, ".png");
  EXPECT_NO_THROW((void)decode_image(png, "x.png", {.max_pixels = std::size_t{61} * 37}));
  expect_error([&] { (void)decode_image(png, "x.png", {.max_pixels = 61 * 37 - 1}); },
               ErrorKind::bad_format, {"x.png: has 61 x 37 pixels; at most 2256"});
}

TEST(Decode, RefusesHugeSizesBeforeTheyTakeMemory) {
  Bytes bmp = gradient_file(9, 7, ".bmp");
  for (const std::size_t at : {20U, 24U}) bmp[at] = std::byte{0x7f};
  expect_error([&] { (void)decode_image(bmp, "x.bmp"); }, ErrorKind::bad_format,
               {"x.bmp: has 8323081 x 8323079 pixels; at most 200000000"});
}

TEST(Decode, RefusesEveryTruncationWithoutAWord) {
  for (const std::string extension : {".jpg", ".png", ".webp", ".tiff", ".bmp"}) {
    const Bytes whole = gradient_file(61, 37, extension);
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
    const Bytes whole = gradient_file(61, 37, extension);
    expect_error([&] { (void)decode_image(first_part(whole, whole.size() - 1), "x"); },
                 ErrorKind::bad_format, {"x: is truncated: it ends before its last pixels"});
  }
}

TEST(Decode, AllowsBytesAfterTheEnd) {
  for (const std::string extension : {".jpg", ".png", ".bmp"}) {
    Bytes bytes = gradient_file(61, 37, extension);
    bytes.insert(bytes.end(), 100, std::byte{0x55});
    EXPECT_EQ(decode_image(bytes, "x").width, 61U) << extension;
  }
}

TEST(Decode, RefusesEveryAlterationOfAPngsData) {
  const Bytes png = gradient_file(9, 7, ".png");
  testing::internal::CaptureStderr();
  for (std::size_t at = 0; at < png.size() - 12; ++at) {
    Bytes altered = png;
    altered[at] ^= std::byte{0x10};
    expect_error([&] { (void)decode_image(altered, "x.png"); }, ErrorKind::bad_format, {"x.png: "});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Decode, GivesTheJpegPixelsThatOpenCvGave) {
  for (const std::string file :
       {"gradient-61x35.jpg", "progressive-61x37.jpg", "progressive-restarts-161x137.jpg"}) {
    expected_pixels::expect_equal(file);
  }
}

TEST(Decode, RefusesJpegFilesWhosePixelsAreDamaged) {
  const Bytes jpeg = gradient_file(200, 200, ".jpg");
  Bytes damaged = jpeg;
  // Within the coded pixels; the file still ends as it should.
  std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(jpeg.size() / 2), 60, std::byte{0x5A});
  testing::internal::CaptureStderr();
  expect_error([&] { (void)decode_image(damaged, "x.jpg"); }, ErrorKind::bad_format,
               {"x.jpg: is damaged"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace caos::vision
