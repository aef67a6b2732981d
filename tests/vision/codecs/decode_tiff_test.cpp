#include "caos/vision/codecs/decode_tiff.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/damaged_files.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"
#include "tests/vision/codecs/tiff_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using test::expect_error;
using tiff_files::Kind;
using tiff_files::make;

void expect_equal(const Kind& kind) { expected_pixels::expect_equal(make(kind), kind.name()); }

const std::vector<Kind> shallow_kinds = {
    {.bits = 1, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.bits = 1, .channels = 1, .meaning = PHOTOMETRIC_MINISWHITE},
    {.channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.channels = 1, .meaning = PHOTOMETRIC_MINISWHITE},
    {.channels = 1, .meaning = PHOTOMETRIC_PALETTE},
    {},
    {.is_big_endian = true},
    {.has_planes = true},
    {.channels = 2, .meaning = PHOTOMETRIC_MINISBLACK, .extra = EXTRASAMPLE_UNSPECIFIED},
    {.channels = 4},
    {.channels = 4, .meaning = PHOTOMETRIC_SEPARATED},
    {.meaning = PHOTOMETRIC_CIELAB},
    {.meaning = PHOTOMETRIC_YCBCR}};

const std::vector<Kind> deep_kinds = {
    {.bits = 16, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.bits = 16},
    {.bits = 16, .is_big_endian = true},
    {.bits = 16, .channels = 4, .extra = EXTRASAMPLE_UNASSALPHA},
    {.bits = 16, .channels = 2, .meaning = PHOTOMETRIC_MINISBLACK, .extra = 0},
    {.bits = 10, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.bits = 12, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.bits = 14, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK},
    {.bits = 10},
    {.bits = 12},
    {.bits = 12, .is_big_endian = true},
    {.bits = 14}};

TEST(DecodeTiff, GivesThePixelsThatOpenCvGave) {
  for (const auto* const kinds : {&shallow_kinds, &deep_kinds}) {
    for (Kind kind : *kinds) {
      expect_equal(kind);
      kind.is_tiled = true;
      kind.compression = COMPRESSION_LZW;
      expect_equal(kind);
    }
  }
}

TEST(DecodeTiff, ReadsTilesThatAreNotCompressed) {
  // OpenCV fails on them where libtiff 4.5 reads small ones from a file that is not mapped.
  for (const auto* const kinds : {&shallow_kinds, &deep_kinds}) {
    for (Kind kind : *kinds) {
      kind.is_tiled = true;
      const Image plain = decode_image(make(kind), kind.name());
      kind.compression = COMPRESSION_LZW;
      EXPECT_EQ(plain.rgb, decode_image(make(kind), kind.name()).rgb);
    }
  }
}

TEST(DecodeTiff, GivesThePixelsThatOpenCvGaveOfEveryCompression) {
  for (const int compression : {COMPRESSION_LZW, COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE,
                                COMPRESSION_LZMA, COMPRESSION_ZSTD}) {
    expect_equal({.compression = compression});
    expect_equal({.bits = 16, .compression = compression});
    if (compression == COMPRESSION_PACKBITS) continue;
    expect_equal({.compression = compression, .predictor = 2});
    expect_equal({.bits = 16, .compression = compression, .is_tiled = true, .predictor = 2});
  }
  for (const std::string file : {"jpeg-strips.tiff", "jpeg-gray-tiles.tiff"}) {
    expected_pixels::expect_equal(file);
  }
  for (const int compression : {COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
    expect_equal({.bits = 1, .channels = 1, .meaning = 0, .compression = compression});
  }
}

TEST(DecodeTiff, TurnsImagesAsOpenCvDid) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    expect_equal({.orientation = orientation});
    expect_equal({.bits = 16, .orientation = orientation});
    expect_equal({.bits = 16, .is_tiled = true, .orientation = orientation});
  }
}

/// Pixel (x, y) of an image.
std::array<int, 3> pixel(const Image& image, std::size_t x, std::size_t y) {
  const auto* const p = &image.rgb[(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

/// The pixel of a stored image that is displayed at (x, y) of `width` x `height`.
std::array<int, 3> turned(const Image& stored, int orientation, std::size_t x, std::size_t y) {
  const bool swaps = orientation >= 5;
  const std::size_t right = (swaps ? stored.height : stored.width) - 1;
  const std::size_t below = (swaps ? stored.width : stored.height) - 1;
  if (orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7) x = right - x;
  if (orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) y = below - y;
  return swaps ? pixel(stored, y, x) : pixel(stored, x, y);
}

TEST(DecodeTiff, TurnsTilesOf8BitsAsAWhole) {
  // OpenCV turned each by itself and left it where it was.
  Kind kind{.compression = COMPRESSION_LZW, .is_tiled = true};
  const Image stored = decode_image(make(kind), "x.tif");
  expected_pixels::expect_image(stored, kind.name());
  for (kind.orientation = 1; kind.orientation <= 8; ++kind.orientation) {
    const Image image = decode_image(make(kind), "x.tif");
    ASSERT_EQ(image.width, kind.orientation < 5 ? stored.width : stored.height);
    for (std::size_t y = 0; y < image.height; ++y) {
      for (std::size_t x = 0; x < image.width; ++x) {
        ASSERT_EQ(pixel(image, x, y), turned(stored, kind.orientation, x, y)) << kind.orientation;
      }
    }
  }
}

TEST(DecodeTiff, LaysTransparentPixelsOnWhite) {
  for (const int bits : {8, 16}) {
    // Writers that do not name the fourth channel, such as OpenCV, write colors as they are.
    const Image unsaid = decode_image(make({.bits = bits, .channels = 4}), "x.tif");
    const Kind said{.bits = bits, .channels = 4, .extra = EXTRASAMPLE_UNASSALPHA};
    EXPECT_EQ(decode_image(make(said), "x.tif").rgb, unsaid.rgb);
  }
}

TEST(DecodeTiff, LaysColorsThatAreMultipliedByAlphaOnWhite) {
  // The checksums are of the colors that OpenCV read plus the white that alpha leaves.
  for (const int bits : {8, 16}) {
    const Kind kind{.bits = bits, .channels = 4, .extra = EXTRASAMPLE_ASSOCALPHA};
    expected_pixels::expect_equal(make(kind), kind.name());
  }
}

TEST(DecodeTiff, LaysTransparentGrayOnWhite) {
  // OpenCV does not look at alpha beside a shade of gray.
  Kind kind{.channels = 2, .meaning = PHOTOMETRIC_MINISBLACK, .extra = EXTRASAMPLE_UNSPECIFIED};
  const Image shades = decode_image(make(kind), "x.tif");
  kind.extra = EXTRASAMPLE_UNASSALPHA;
  const Image laid = decode_image(make(kind), "x.tif");
  EXPECT_NE(laid.rgb, shades.rgb);
  for (std::size_t i = 0; i < laid.rgb.size(); ++i) ASSERT_GE(laid.rgb[i], shades.rgb[i]);
}

TEST(DecodeTiff, ReadsWhatOpenCvRefuses) {
  for (const int bits : {2, 4}) {
    const Kind gray{.bits = bits, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK};
    const Kind palette{.bits = bits, .channels = 1, .meaning = PHOTOMETRIC_PALETTE};
    for (const Kind& kind : {gray, palette}) {
      EXPECT_EQ(decode_image(make(kind), "x.tif").width, kind.width);
    }
  }
}

/// Channel c of every pixel.
std::vector<std::uint8_t> channel(const Image& image, std::size_t c) {
  std::vector<std::uint8_t> values;
  for (std::size_t i = c; i < image.rgb.size(); i += 3) values.push_back(image.rgb[i]);
  return values;
}

TEST(DecodeTiff, InvertsDeepGrayWhoseZeroIsWhite) {
  // OpenCV inverts it in 8 bits alone.
  Kind kind{.bits = 16, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK};
  const Image black = decode_image(make(kind), "x.tif");
  kind.meaning = PHOTOMETRIC_MINISWHITE;
  const Image white = decode_image(make(kind), "x.tif");
  for (std::size_t i = 0; i < black.rgb.size(); ++i) {
    ASSERT_EQ(black.rgb[i] + white.rgb[i], 255) << i;
  }
}

TEST(DecodeTiff, ReadsDeepColorsInPlanes) {
  // OpenCV takes the first plane for everything. Random numbers are drawn plane by plane, so that
  // the first channel is what a gray image of the same size has.
  for (const bool is_tiled : {false, true}) {
    Kind kind{.bits = 16, .is_tiled = is_tiled, .has_planes = true};
    const Image planes = decode_image(make(kind), "x.tif");
    kind = {.bits = 16, .channels = 1, .meaning = PHOTOMETRIC_MINISBLACK, .is_tiled = is_tiled};
    const Image gray = decode_image(make(kind), "x.tif");
    EXPECT_EQ(channel(planes, 0), channel(gray, 0));
    EXPECT_NE(channel(planes, 1), channel(gray, 0));
    EXPECT_NE(channel(planes, 2), channel(planes, 1));
  }
}

TEST(DecodeTiff, RefusesNumbersThatAreNotWhole) {
  const Kind gray{.channels = 1, .meaning = PHOTOMETRIC_MINISBLACK};
  for (const auto& [bits, number] : {std::pair(8, SAMPLEFORMAT_INT),
                                     {16, SAMPLEFORMAT_INT},
                                     {16, SAMPLEFORMAT_IEEEFP},
                                     {32, SAMPLEFORMAT_IEEEFP},
                                     {32, SAMPLEFORMAT_UINT},
                                     {64, SAMPLEFORMAT_IEEEFP}}) {
    Kind kind = gray;
    kind.bits = bits;
    kind.number = number;
    expect_error([&] { (void)decode_image(make(kind), "x.tif"); }, ErrorKind::bad_format,
                 {"x.tif: has pixels that are not whole numbers of 8 or 16 bits"});
  }
}

TEST(DecodeTiff, RefusesColorsWithoutMeaning) {
  expect_error([] { (void)decode_image(make({.meaning = -1}), "x.tif"); }, ErrorKind::bad_format,
               {"x.tif: has an unknown color space"});
}

TEST(DecodeTiff, RefusesTilesThatWouldTakeAllMemory) {
  Bytes bytes = make({.bits = 16, .is_tiled = true});
  std::size_t changed = 0;
  for (std::size_t at = 0; at + 12 <= bytes.size(); ++at) {
    // The entries of tags 322 and 323, each one short number.
    const bool is_tile_side = (bytes[at] == std::byte{0x42} || bytes[at] == std::byte{0x43}) &&
                              bytes[at + 1] == std::byte{1} && bytes[at + 2] == std::byte{3} &&
                              bytes[at + 4] == std::byte{1} && bytes[at + 8] == std::byte{16};
    if (!is_tile_side) continue;
    bytes[at + 9] = std::byte{0xff};
    ++changed;
  }
  ASSERT_EQ(changed, 2U);
  expect_error([&] { (void)decode_image(bytes, "x.tif"); }, ErrorKind::bad_format,
               {"x.tif: has tiles of 65296 x 65296 pixels, which are too large"});
}

TEST(DecodeTiff, RefusesDamagedPixelsByName) {
  for (const int bits : {8, 16}) {
    Bytes bytes = make({.bits = bits, .compression = COMPRESSION_ADOBE_DEFLATE});
    std::fill_n(bytes.begin() + 100, 60, std::byte{0x5a});
    testing::internal::CaptureStderr();
    expect_error([&] { (void)decode_image(bytes, "x.tif"); }, ErrorKind::bad_format,
                 {"x.tif: is damaged (", "; save or copy it again"});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

TEST(DecodeTiff, TakesNoHarmFromDamagedFiles) {
  const Kind jpeg{.compression = COMPRESSION_JPEG};
  const Kind lzw{.compression = COMPRESSION_LZW, .is_tiled = true, .predictor = 2};
  const Kind deep{.bits = 16, .compression = COMPRESSION_ADOBE_DEFLATE};
  const Kind packed{.bits = 12, .is_tiled = true, .has_planes = true};
  const Kind palette{.channels = 1, .meaning = PHOTOMETRIC_PALETTE};
  const Kind fax{.bits = 1, .channels = 1, .meaning = 0, .compression = COMPRESSION_CCITTFAX4};
  for (const Kind& kind : {jpeg, lzw, deep, packed, palette, fax, Kind{}}) {
    damaged_files::expect_no_part(make(kind), "x.tif");
    damaged_files::expect_no_harm(make(kind), "x.tif", 500);
  }
}

}  // namespace
}  // namespace caos::vision
