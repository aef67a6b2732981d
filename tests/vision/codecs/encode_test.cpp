#include "caos/vision/codecs/encode.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

TEST(Encode, PngIsReadBackAsItWas) {
  const Image face = draw_face(1, 0).image;
  EXPECT_EQ(decode_image(encode_png(face), "x.png").rgb, face.rgb);
}

TEST(Encode, JpegIsReadBackNearly) {
  const Image face = draw_face(1, 0).image;
  const Image read = decode_image(encode_jpeg(face, 95), "x.jpg");
  ASSERT_EQ(read.rgb.size(), face.rgb.size());
  double sum = 0;
  for (std::size_t i = 0; i < face.rgb.size(); ++i) sum += std::abs(face.rgb[i] - read.rgb[i]);
  EXPECT_LT(sum / static_cast<double>(face.rgb.size()), 3);
}

TEST(Encode, GivesThePixelsThatOpenCvWrote) {
  const Image face = draw_face(1, 0).image;
  for (const int quality : {0, 1, 50, 90, 96, 100}) {
    expected_pixels::expect_equal(encode_jpeg(face, quality),
                                  fmt::format("face as JPEG of quality {}", quality));
  }
  constexpr std::size_t size_of_theirs = 47'098;
  EXPECT_LE(encode_png(face).size(), size_of_theirs);
}

TEST(Encode, RefusesInvalidArguments) {
  const Image face = draw_face(1, 0).image;
  expect_error([] { (void)encode_png({}); }, ErrorKind::invalid_input, {"without pixels"});
  for (const int quality : {-1, 101}) {
    expect_error([&] { (void)encode_jpeg(face, quality); }, ErrorKind::invalid_input,
                 {"between 0 and 100"});
  }
}

}  // namespace
}  // namespace caos::vision
