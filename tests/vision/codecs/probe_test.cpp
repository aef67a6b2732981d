#include "caos/vision/codecs/probe.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using test::expect_error;

const std::vector<std::pair<std::string, ImageFormat>> formats = {{".jpg", ImageFormat::jpeg},
                                                                  {".png", ImageFormat::png},
                                                                  {".webp", ImageFormat::webp},
                                                                  {".tiff", ImageFormat::tiff},
                                                                  {".bmp", ImageFormat::bmp}};

Bytes text(const std::string& content) {
  const auto* const first = reinterpret_cast<const std::byte*>(content.data());
  return {first, first + content.size()};
}

TEST(Probe, ReadsTheSizeOfEveryFormat) {
  for (const auto& [extension, format] : formats) {
    const ImageInfo info = probe_image(image_files::gradient_file(61, 37, extension), "x");
    EXPECT_EQ(info.format, format) << extension;
    EXPECT_EQ(info.width, 61U) << extension;
    EXPECT_EQ(info.height, 37U) << extension;
    EXPECT_EQ(info.orientation, 1) << extension;
  }
}

TEST(Probe, ReadsProgressiveJpegAndBothKindsOfWebp) {
  const Bytes jpeg = image_files::read("progressive-61x37.jpg");
  const Bytes webp = image_files::read("gradient-61x37.webp");
  EXPECT_EQ(probe_image(jpeg, "x").width, 61U);
  EXPECT_EQ(probe_image(webp, "x").width, 61U);
  EXPECT_EQ(probe_image(webp, "x").height, 37U);
  EXPECT_EQ(probe_image(image_files::read("noise-color-quality-75.webp"), "x").width, 31U);
}

TEST(Probe, AppliesTheOrientationToTheSize) {
  const Bytes jpeg = image_files::gradient_file(61, 37, ".jpg");
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big_endian : {false, true}) {
      const ImageInfo info =
          probe_image(image_files::oriented(jpeg, orientation, big_endian), "x.jpg");
      EXPECT_EQ(info.orientation, orientation);
      EXPECT_EQ(info.width, orientation < 5 ? 61U : 37U);
      EXPECT_EQ(info.height, orientation < 5 ? 37U : 61U);
    }
  }
}

TEST(Probe, TakesAnUnknownOrientationAsUpright) {
  const Bytes jpeg = image_files::gradient_file(61, 37, ".jpg");
  EXPECT_EQ(probe_image(image_files::oriented(jpeg, 0), "x.jpg").orientation, 1);
  EXPECT_EQ(probe_image(image_files::oriented(jpeg, 9), "x.jpg").orientation, 1);
}

TEST(Probe, RefusesFilesThatAreNotImages) {
  for (const std::string content : {"hello", "BM", "GIF89a", "RIFF1234WAVE", "\xff\xd8"}) {
    expect_error([&] { (void)probe_image(text(content), "x.jpg"); }, ErrorKind::bad_format,
                 {"x.jpg: not an image that can be read; JPEG, PNG, WebP, TIFF and BMP can"});
  }
  expect_error([] { (void)probe_image({}, "x.jpg"); }, ErrorKind::bad_format, {"x.jpg: is empty"});
}

TEST(Probe, RefusesImagesWithoutPixels) {
  Bytes bmp = image_files::gradient_file(3, 3, ".bmp");
  bmp[18] = std::byte{0};
  expect_error([&] { (void)probe_image(bmp, "x.bmp"); }, ErrorKind::bad_format,
               {"x.bmp: its header says that it has no pixels"});
}

TEST(Probe, ReadsOrRefusesEveryTruncation) {
  for (const auto& [extension, format] : formats) {
    const Bytes whole = image_files::gradient_file(9, 7, extension);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      try {
        EXPECT_EQ(probe_image(part, "x").width, 9U) << extension << ' ' << size;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_format);
      }
    }
  }
}

RC_GTEST_PROP(Probe, ReadsOrRefusesAnyBytes, ()) {
  const auto& [extension, format] = *rc::gen::elementOf(formats);
  Bytes bytes = image_files::oriented(image_files::gradient_file(9, 7, extension), 6,
                                      *rc::gen::arbitrary<bool>());
  if (extension != ".jpg") bytes = image_files::gradient_file(9, 7, extension);
  const auto changes = *rc::gen::inRange<std::size_t>(1, 9);
  for (std::size_t i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, std::min<std::size_t>(bytes.size(), 200));
    bytes[at] = static_cast<std::byte>(*rc::gen::inRange<int>(0, 256));
  }
  try {
    const ImageInfo info = probe_image(bytes, "x");
    RC_ASSERT(info.width > 0U && info.height > 0U);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::bad_format);
  }
}

}  // namespace
}  // namespace caos::vision
