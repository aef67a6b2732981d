#include "caos/vision/codecs/decode_bmp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/damaged_files.hpp"
#include "tests/vision/codecs/expected_pixels.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using test::expect_error;
using Codes = std::vector<unsigned>;
using Rgb = std::array<int, 3>;

void put(Bytes& bytes, std::size_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::byte>(value >> 8 * i & 255));
  }
}

struct Kind {
  unsigned bits = 24;
  unsigned compression = 0;
  unsigned header = 40;
  int width = 13;
  int height = 7;       // negative: rows go downwards
  unsigned colors = 0;  // 0: all that the bits can name
  Codes masks{};
  Codes code{};  // of runs; empty: random pixels

  [[nodiscard]] std::string name() const {
    return fmt::format(
        "BMP of {} bits, compression {}, header of {} bytes, {} x {}, {} colors, masks [{:x}], "
        "code [{}]",
        bits, compression, header, width, height, colors, fmt::join(masks, " "),
        fmt::join(code, " "));
  }
};

void put_header(Bytes& bytes, const Kind& kind) {
  const bool is_old = kind.header == 12;
  put(bytes, kind.header, 4);
  put(bytes, static_cast<std::size_t>(kind.width), is_old ? 2 : 4);
  put(bytes, static_cast<std::size_t>(kind.height), is_old ? 2 : 4);
  put(bytes, 1, 2);
  put(bytes, kind.bits, 2);
  if (is_old) return;
  put(bytes, kind.compression, 4);
  for (const unsigned value : {0U, 0U, 0U, kind.colors, 0U}) put(bytes, value, 4);
  for (const unsigned mask : kind.masks) put(bytes, mask, 4);
  if (14 + kind.header > bytes.size()) bytes.resize(14 + kind.header);
}

void put_palette(Bytes& bytes, const Kind& kind) {
  if (kind.bits > 8) return;
  const std::size_t count = kind.colors > 0 ? kind.colors : 1U << kind.bits;
  for (std::size_t i = 0; i < count; ++i) {
    put(bytes, i * 7 % 256, 1);
    put(bytes, 255 - i, 1);
    put(bytes, i * 31 % 256, 1);
    if (kind.header != 12) put(bytes, 0, 1);
  }
}

void put_pixels(Bytes& bytes, const Kind& kind) {
  for (const unsigned value : kind.code) put(bytes, value, 1);
  if (!kind.code.empty()) return;
  const auto width = static_cast<std::size_t>(kind.width);
  const auto height = static_cast<std::size_t>(std::abs(kind.height));
  Rng rng(3);
  const std::size_t count = (width * kind.bits + 31) / 32 * 4 * height;
  for (std::size_t i = 0; i < count; ++i) put(bytes, rng.below(256), 1);
}

Bytes make(const Kind& kind) {
  Bytes bytes;
  put(bytes, 'B' + 'M' * 256, 2);
  for (int i = 0; i < 3; ++i) put(bytes, 0, 4);
  put_header(bytes, kind);
  put_palette(bytes, kind);
  const std::size_t start = bytes.size();
  for (std::size_t i = 0; i < 4; ++i) bytes[10 + i] = static_cast<std::byte>(start >> 8 * i & 255);
  put_pixels(bytes, kind);
  return bytes;
}

void expect_equal(const Kind& kind) { expected_pixels::expect_equal(make(kind), kind.name()); }

TEST(DecodeBmp, GivesThePixelsThatOpenCvGave) {
  for (const unsigned bits : {1U, 4U, 8U, 16U, 24U, 32U}) {
    for (const unsigned header : {40U, 56U, 108U, 124U}) {
      for (const int height : {7, -7}) {
        expect_equal({.bits = bits, .header = header, .height = height});
      }
    }
  }
}

TEST(DecodeBmp, ReadsOldHeadersInColor) {
  // OpenCV makes them gray.
  for (const unsigned bits : {1U, 4U, 8U, 24U, 32U}) {
    const Image image = decode_image(make({.bits = bits, .header = 12}), "x.bmp");
    EXPECT_EQ(image.rgb, decode_image(make({.bits = bits}), "x.bmp").rgb) << bits;
  }
}

TEST(DecodeBmp, GivesThePixelsThatOpenCvGaveWithFewColors) {
  for (const unsigned bits : {4U, 8U}) expect_equal({.bits = bits, .colors = 9});
}

TEST(DecodeBmp, GivesThePixelsThatOpenCvGaveWithBitFields) {
  expect_equal({.bits = 16, .compression = 3, .masks = {0x7c00, 0x3e0, 0x1f}});
  expect_equal({.bits = 16, .compression = 3, .masks = {0xf800, 0x7e0, 0x1f}});
  expect_equal({.bits = 32, .compression = 3, .masks = {0xff0000, 0xff00, 0xff}});
  for (const Codes& masks :
       {Codes{0xff0000, 0xff00, 0xff, 0xff000000}, Codes{0xff, 0xff00, 0xff0000, 0xff000000}}) {
    expect_equal({.bits = 32, .compression = 3, .header = 108, .masks = masks});
  }
}

/// In the order of use: a run, pixels as they are, a full row without its end, pixels left out to
/// the end of a row, a row of nothing, a jump, and the end of the image.
const Codes runs_of_8 = {5, 200, 0, 5, 1, 2, 3, 4, 5, 0, 3, 77, 0, 0,  13, 9,
                         4, 8,   0, 0, 0, 0, 3, 3, 0, 2, 4, 2,  2, 99, 0,  1};
/// OpenCV knows neither jumps nor the end of the image here.
const Codes runs_of_4 = {5, 0x12, 0, 5, 0x34, 0x56, 0x70, 0, 3, 0x9a, 0, 0, 13, 0xab, 0, 0,
                         4, 0x38, 0, 0, 0,    0,    3,    3, 0, 0,    0, 0, 2,  0x99, 0, 0};

TEST(DecodeBmp, GivesThePixelsThatOpenCvGaveOfRuns) {
  for (const int height : {7, -7}) {
    expect_equal({.bits = 8, .compression = 1, .height = height, .code = runs_of_8});
    expect_equal({.bits = 4, .compression = 2, .height = height, .code = runs_of_4});
  }
}

TEST(DecodeBmp, JumpsInRunsOf4AsInRunsOf8) {
  Kind kind{.bits = 4, .compression = 2, .code = {5, 0x11, 0, 0, 0, 2, 3, 2, 4, 0x22, 0, 1}};
  const Image of_4 = decode_image(make(kind), "x.bmp");
  kind.bits = 8;
  kind.compression = 1;
  kind.code = {5, 1, 0, 0, 0, 2, 3, 2, 4, 2, 0, 1};
  EXPECT_EQ(of_4.rgb, decode_image(make(kind), "x.bmp").rgb);
  expect_equal(kind);
}

TEST(DecodeBmp, ReadsRunsWhoseLastCodeIsMissing) {
  expect_equal({.bits = 8, .compression = 1, .width = 4, .height = 2, .code = {4, 1, 0, 0, 4, 2}});
  expect_equal({.bits = 8, .compression = 1, .width = 4, .height = 2, .code = {4, 1, 4, 2}});
}

TEST(DecodeBmp, RefusesRunsThatLeaveTheirRowOrEndEarly) {
  const auto refused = [](const Codes& code, const std::string& why) {
    const Kind kind{.bits = 8, .compression = 1, .width = 4, .height = 2, .code = code};
    expect_error([&] { (void)decode_image(make(kind), "x.bmp"); }, ErrorKind::bad_format,
                 {"x.bmp: ", why});
  };
  refused({5, 1, 0, 1}, "is damaged");
  refused({3, 1, 0, 3, 1, 2, 3, 0, 0, 1}, "is damaged");
  refused({4, 1, 0, 0, 3, 1}, "is truncated");
  refused({4, 1, 0, 0, 0, 4, 1}, "is truncated");
}

TEST(DecodeBmp, ReadsFieldsWhereverOpenCvDoesNotLook) {
  // The masks of 16 bits lie inside a long header, where OpenCV looks for them behind it.
  const Kind shorter{.bits = 16, .compression = 3, .masks = {0xf800, 0x7e0, 0x1f}};
  const Kind longer{.bits = 16, .compression = 3, .header = 108, .masks = {0xf800, 0x7e0, 0x1f}};
  EXPECT_EQ(decode_image(make(longer), "x").rgb, decode_image(make(shorter), "x").rgb);
}

TEST(DecodeBmp, RefusesKindsThatItDoesNotKnow) {
  const auto refused = [](const Kind& kind, const std::string& why) {
    expect_error([&] { (void)decode_image(make(kind), "x.bmp"); }, ErrorKind::bad_format,
                 {"x.bmp: ", why});
  };
  refused({.bits = 2}, "is a BMP of 2 bits and compression 0, which cannot be read");
  refused({.bits = 24, .compression = 4, .code = {1}}, "of 24 bits and compression 4");
  refused({.bits = 8, .colors = 257}, "is damaged");
  refused({.width = -13, .code = {1}}, "is ");
  refused({.bits = 32, .compression = 3, .masks = {0x3ff00000, 0xffc00, 0x3ff}},
          "has colors of more than 8 bits");
  refused({.bits = 32, .compression = 3, .masks = {0, 0xff00, 0xff}}, "has colors of");
}

TEST(DecodeBmp, TakesNoHarmFromDamagedFiles) {
  for (const Kind& kind : {Kind{}, Kind{.bits = 4, .header = 12}, Kind{.bits = 8, .colors = 20},
                           Kind{.bits = 8, .compression = 1, .code = runs_of_8},
                           Kind{.bits = 4, .compression = 2, .code = runs_of_4},
                           Kind{.bits = 16, .compression = 3, .masks = {0xf800, 0x7e0, 0x1f}}}) {
    damaged_files::expect_no_part(make(kind), "x.bmp");
    damaged_files::expect_no_harm(make(kind), "x.bmp", 1000);
  }
}

}  // namespace
}  // namespace caos::vision
