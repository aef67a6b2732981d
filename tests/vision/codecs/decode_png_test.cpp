#include "caos/vision/codecs/decode_png.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/damaged_files.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using test::expect_error;

struct Kind {
  int color = PNG_COLOR_TYPE_RGB;
  int depth = 8;
  bool is_interlaced = false;
  bool has_transparent = false;  // a tRNS chunk

  [[nodiscard]] std::string name() const {
    return fmt::format("PNG of color type {}, {} bits{}{}", color, depth,
                       is_interlaced ? ", interlaced" : "", has_transparent ? ", tRNS" : "");
  }
};

void append(png_structp png, png_bytep data, std::size_t count) {
  auto& bytes = *static_cast<Bytes*>(png_get_io_ptr(png));
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + count);
}

void set_palette(png_structp png, png_infop info, const Kind& kind) {
  std::array<png_color, 256> colors{};
  std::array<png_byte, 256> alphas{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    colors[i] = {static_cast<png_byte>(i * 7), static_cast<png_byte>(255 - i),
                 static_cast<png_byte>(i * 31)};
    alphas[i] = static_cast<png_byte>(i * 53);
  }
  png_set_PLTE(png, info, colors.data(), 1 << kind.depth);
  if (kind.has_transparent) png_set_tRNS(png, info, alphas.data(), 1 << kind.depth, nullptr);
}

void set_transparent_color(png_structp png, png_infop info, const std::vector<png_byte>& row) {
  // The color of the first pixel, as RGB of 8 and 16 bits have it, or some shade of gray.
  png_color_16 color{.index = 0, .red = row[0], .green = row[1], .blue = row[2], .gray = 1};
  if (png_get_bit_depth(png, info) == 16) {
    const auto deep = [&](std::size_t i) {
      return static_cast<png_uint_16>(row[i] * 256 + row[i + 1]);
    };
    color = {.index = 0, .red = deep(0), .green = deep(2), .blue = deep(4), .gray = deep(0)};
  }
  png_set_tRNS(png, info, nullptr, 0, &color);
}

constexpr png_uint_32 width = 37;
constexpr png_uint_32 height = 19;

Bytes make(const Kind& kind) {
  Bytes bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append, nullptr);
  png_set_IHDR(png, info, width, height, kind.depth, kind.color,
               kind.is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
  Rng rng(7);
  std::vector<std::vector<png_byte>> rows(height);
  std::vector<png_bytep> pointers;
  for (auto& row : rows) {
    row.resize(png_get_rowbytes(png, info));
    for (auto& value : row) value = static_cast<png_byte>(rng.below(256));
    pointers.push_back(row.data());
  }
  if (kind.color == PNG_COLOR_TYPE_PALETTE) {
    set_palette(png, info, kind);
  } else if (kind.has_transparent) {
    set_transparent_color(png, info, rows[0]);
  }
  png_write_info(png, info);
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

std::vector<Kind> all_kinds() {
  const std::vector<std::pair<int, std::vector<int>>> depths = {
      {PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16}},
      {PNG_COLOR_TYPE_RGB, {8, 16}},
      {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8}},
      {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16}},
      {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16}}};
  std::vector<Kind> kinds;
  for (const auto& [color, all] : depths) {
    for (const int depth : all) {
      for (const bool is_interlaced : {false, true}) {
        kinds.push_back({color, depth, is_interlaced, false});
        const bool has_alpha = (color & PNG_COLOR_MASK_ALPHA) != 0;
        if (!has_alpha) kinds.push_back({color, depth, is_interlaced, true});
      }
    }
  }
  return kinds;
}

TEST(DecodePng, GivesThePixelsThatOpenCvGave) {
  for (const Kind& kind : all_kinds()) expected_pixels::expect_equal(make(kind), kind.name());
}

TEST(DecodePng, LaysATransparentColorOnWhite) {
  for (const int depth : {8, 16}) {
    const Image image = decode_png(make({PNG_COLOR_TYPE_RGB, depth, false, true}), "x.png");
    EXPECT_EQ(image.rgb[0] + image.rgb[1] + image.rgb[2], 3 * 255);
  }
}

Bytes chunk(std::string_view type, std::string_view content) {
  std::vector<png_byte> bytes(4);
  png_save_uint_32(bytes.data(), static_cast<png_uint_32>(content.size()));
  bytes.insert(bytes.end(), type.begin(), type.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  std::uint32_t crc = ~0U;
  for (std::size_t i = 4; i < bytes.size(); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? 0xedb88320U ^ crc >> 1 : crc >> 1;
  }
  bytes.resize(bytes.size() + 4);
  png_save_uint_32(bytes.data() + bytes.size() - 4, ~crc);
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

/// With one more chunk, after the header.
Bytes with_chunk(Bytes png, std::string_view type, std::string_view content) {
  const Bytes more = chunk(type, content);
  png.insert(png.begin() + 33, more.begin(), more.end());
  return png;
}

TEST(DecodePng, LooksAtNoChunkThatDoesNotTouchPixels) {
  const Bytes png = make({});
  const Image image = decode_png(png, "x.png");
  testing::internal::CaptureStderr();
  for (const std::string type : {"iCCP", "gAMA", "sRGB", "tEXt", "zTXt", "eXIf", "bKGD", "moRe"}) {
    EXPECT_EQ(decode_image(with_chunk(png, type, "nonsense"), type).rgb, image.rgb);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(DecodePng, RefusesAChunkThatItWouldHaveToKnow) {
  expect_error([] { (void)decode_image(with_chunk(make({}), "CgBI", "1234"), "x.png"); },
               ErrorKind::bad_format, {"x.png: is damaged (CgBI: unhandled critical chunk)"});
}

TEST(DecodePng, RefusesPixelsThatAreDamagedAlthoughChecksumsAreRight) {
  const Bytes png = make({});
  Bytes damaged(png.begin(), png.begin() + 33);
  const Bytes data = chunk("IDAT", "these are no pixels");
  const Bytes end = chunk("IEND", "");
  damaged.insert(damaged.end(), data.begin(), data.end());
  damaged.insert(damaged.end(), end.begin(), end.end());
  testing::internal::CaptureStderr();
  expect_error([&] { (void)decode_image(damaged, "x.png"); }, ErrorKind::bad_format,
               {"x.png: is damaged (IDAT: ", "; save or copy it again"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(DecodePng, TakesNoHarmFromDamagedFiles) {
  for (const Kind& kind : {Kind{}, Kind{PNG_COLOR_TYPE_PALETTE, 4, true, true}}) {
    damaged_files::expect_no_part(make(kind), "x.png");
    damaged_files::expect_no_harm(make(kind), "x.png", 500);
  }
}

}  // namespace
}  // namespace caos::vision
