#include "caos/vision/codecs/deep_image.hpp"

#include <gtest/gtest.h>

#include <array>

#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "tests/vision/codecs/tiff_files.hpp"

namespace caos::vision {
namespace {

DeepImage ramp(std::size_t width, std::size_t height) {
  DeepImage image{.width = width, .height = height};
  for (std::size_t i = 0; i < width * height; ++i) {
    image.values.push_back(static_cast<std::uint16_t>(i * 65535 / (width * height - 1)));
  }
  return image;
}

TEST(DeepImage, IsTheSameWhenWrittenAndRead) {
  const DeepImage image = ramp(37, 21);
  const auto png = encode_deep_png(image);
  EXPECT_TRUE(is_deep_image(png));
  const auto read = decode_deep(png, "a.png");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->width, 37U);
  EXPECT_EQ(read->values, image.values);
}

TEST(DeepImage, OfAPngFileIsWhatTheUsualDecoderRounds) {
  const DeepImage image = ramp(40, 30);
  const Image shown = decode_image(encode_deep_png(image), "a.png");
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    EXPECT_EQ(shown.rgb[3 * i], (image.values[i] + 128U) / 257U);
  }
}

TEST(DeepImage, OfATiffFileIsWhatTheUsualDecoderRounds) {
  for (const int bits : {10, 12, 14, 16}) {
    for (const int meaning : {PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE}) {
      for (const bool tiled : {false, true}) {
        const auto file =
            tiff_files::make({.bits = bits, .channels = 1, .meaning = meaning, .is_tiled = tiled});
        const auto deep = decode_deep(file, "a.tif");
        ASSERT_TRUE(deep.has_value()) << bits;
        const Image shown = decode_image(file, "a.tif");
        for (std::size_t i = 0; i < deep->values.size(); ++i) {
          ASSERT_EQ(shown.rgb[3 * i], (deep->values[i] + 128U) / 257U) << bits << " " << i;
        }
      }
    }
  }
}

TEST(DeepImage, IsNothingForOtherFiles) {
  const Image plain{.width = 2, .height = 2, .rgb = std::vector<std::uint8_t>(12, 9)};
  for (const auto& file :
       {encode_png(plain), encode_jpeg(plain), tiff_files::make({}), tiff_files::make({.bits = 16}),
        tiff_files::make(
            {.bits = 16, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK, .orientation = 6})}) {
    EXPECT_FALSE(is_deep_image(file));
    EXPECT_FALSE(decode_deep(file, "a").has_value());
  }
}

TEST(Window, LeavesOutTheGivenSharesAndHasWidth) {
  const DeepImage image = ramp(100, 100);
  const Window all = window_of_shares(image, 0, 1);
  EXPECT_EQ(all, (Window{0, 65535}));
  const Window middle = window_of_shares(image, 0.25, 0.75);
  EXPECT_NEAR(middle.low, 16384, 16);
  EXPECT_NEAR(middle.high, 49151, 16);
  for (const std::uint16_t value : std::array<std::uint16_t, 3>{0, 7, 65535}) {
    const DeepImage flat{.width = 2, .height = 1, .values = {value, value}};
    const Window window = window_of_shares(flat, 0.005, 0.995);
    EXPECT_LT(window.low, window.high);
  }
}

TEST(Window, MapsItsEndsToBlackAndWhite) {
  const DeepImage image{.width = 5, .height = 1, .values = {0, 1000, 1500, 2000, 65535}};
  const Image shown = windowed(image, {1000, 2000});
  EXPECT_EQ(
      (std::vector<int>{shown.rgb[0], shown.rgb[3], shown.rgb[6], shown.rgb[9], shown.rgb[12]}),
      (std::vector<int>{0, 0, 128, 255, 255}));
}

}  // namespace
}  // namespace caos::vision
