#include "caos/vision/codecs/decode_webp.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/damaged_files.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using test::expect_error;

TEST(DecodeWebp, GivesThePixelsThatOpenCvGave) {
  for (const std::string quality : {"quality-10", "quality-75", "quality-100", "lossless"}) {
    for (const std::string kind : {"gray", "color", "alpha"}) {
      expected_pixels::expect_equal("noise-" + kind + "-" + quality + ".webp");
    }
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
  for (const std::string quality : {"quality-75", "lossless"}) {
    const Bytes webp = image_files::read("noise-alpha-" + quality + ".webp");
    damaged_files::expect_no_part(webp, "x.webp");
    damaged_files::expect_no_harm(webp, "x.webp", 1000);
  }
}

}  // namespace
}  // namespace caos::vision
