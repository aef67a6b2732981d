#include "caos/vision/codecs/encode.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

#include <array>
#include <cassert>
#include <csetjmp>
#include <memory>
#include <new>
#include <span>

#include "caos/error.hpp"
#include "caos/vision/codecs/deep_image.hpp"

namespace caos::vision {
namespace {

void require_pixels(const Image& image) {
  assert(image.rgb.size() == image.width * image.height * 3);
  require(image.width > 0 && image.height > 0, ErrorKind::invalid_input,
          "an image without pixels cannot be written");
}

[[noreturn]] void fail(const char* format, const char* reason) {
  throw Error(ErrorKind::backend,
              fmt::format("an image cannot be written as {}: {}", format, reason));
}

struct DestroyCompressor {
  void operator()(void* handle) const { tjDestroy(handle); }
};
struct FreeJpeg {
  void operator()(unsigned char* bytes) const { tjFree(bytes); }
};

/// Rows as a PNG file has them.
struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  int bits = 8;
  int color = PNG_COLOR_TYPE_RGB;
  std::size_t row_bytes = 0;
  const std::uint8_t* rows = nullptr;
};

/// What libpng works on. libpng leaves by longjmp, so that nothing between `succeeds` and its
/// errors may need a destructor.
struct Writing {
  const Pixels& pixels;
  std::vector<std::byte> bytes{};
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::array<char, 120> error{};

  explicit Writing(const Pixels& to_write) : pixels(to_write) {}
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { png_destroy_write_struct(&png, &info); }
};

[[noreturn]] void keep_error(png_structp png, png_const_charp message) {
  auto& error = static_cast<Writing*>(png_get_error_ptr(png))->error;
  *fmt::format_to_n(error.data(), error.size() - 1, "{}", message).out = '\0';
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

bool append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  try {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  } catch (const std::bad_alloc&) {
    return false;  // exceptions must not pass through C
  }
}

void give_bytes(png_structp png, png_bytep from, std::size_t count) {
  auto& bytes = static_cast<Writing*>(png_get_io_ptr(png))->bytes;
  const auto* const first = reinterpret_cast<const std::byte*>(from);
  if (!append(bytes, {first, count})) png_error(png, "out of memory");
}

void flush(png_structp) {}

/// Fast rather than small: an image is mostly written to be looked at once.
void write_image(Writing& writing) {
  constexpr int fastest = 1;  // zlib's level
  constexpr int by_runs = 3;  // zlib's strategy
  const Pixels& pixels = writing.pixels;
  png_set_write_fn(writing.png, &writing, give_bytes, flush);
  png_set_filter(writing.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_set_compression_level(writing.png, fastest);
  png_set_compression_strategy(writing.png, by_runs);
  png_set_IHDR(writing.png, writing.info, static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), pixels.bits, pixels.color,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writing.png, writing.info);
  for (std::size_t y = 0; y < pixels.height; ++y) {
    png_write_row(writing.png, pixels.rows + y * pixels.row_bytes);
  }
  png_write_end(writing.png, writing.info);
}

bool succeeds(Writing& writing) {
  if (setjmp(png_jmpbuf(writing.png)) != 0) return false;
  write_image(writing);
  return true;
}

std::vector<std::byte> png_of(const Pixels& pixels) {
  Writing writing(pixels);
  writing.png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing, keep_error, ignore_warning);
  if (writing.png != nullptr) writing.info = png_create_info_struct(writing.png);
  if (writing.info == nullptr) fail("PNG", "libpng does not start");
  if (!succeeds(writing)) fail("PNG", writing.error.data());
  return std::move(writing.bytes);
}

/// The higher byte first, as PNG stores it.
std::vector<std::uint8_t> bytes_of(const DeepImage& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * image.values.size());
  for (const std::uint16_t value : image.values) {
    bytes.push_back(static_cast<std::uint8_t>(value >> 8));
    bytes.push_back(static_cast<std::uint8_t>(value & 0xff));
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> encode_jpeg(const Image& image, int quality) {
  require(quality >= 0 && quality <= 100, ErrorKind::invalid_input,
          "the quality of a JPEG must lie between 0 and 100");
  require_pixels(image);
  const std::unique_ptr<void, DestroyCompressor> handle(tjInitCompress());
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  const int failed = tjCompress2(handle.get(), image.rgb.data(), static_cast<int>(image.width), 0,
                                 static_cast<int>(image.height), TJPF_RGB, &buffer, &size,
                                 TJSAMP_420, quality, TJFLAG_ACCURATEDCT);
  const std::unique_ptr<unsigned char, FreeJpeg> owner(buffer);
  if (failed != 0) fail("JPEG", tjGetErrorStr2(handle.get()));
  const auto* const first = reinterpret_cast<const std::byte*>(buffer);
  return {first, first + size};
}

std::vector<std::byte> encode_png(const Image& image) {
  require_pixels(image);
  return png_of({.width = image.width,
                 .height = image.height,
                 .row_bytes = 3 * image.width,
                 .rows = image.rgb.data()});
}

std::vector<std::byte> encode_deep_png(const DeepImage& image) {
  assert(image.values.size() == image.width * image.height);
  require(!image.values.empty(), ErrorKind::invalid_input,
          "an image without pixels cannot be written");
  const std::vector<std::uint8_t> bytes = bytes_of(image);
  return png_of({.width = image.width,
                 .height = image.height,
                 .bits = 16,
                 .color = PNG_COLOR_TYPE_GRAY,
                 .row_bytes = 2 * image.width,
                 .rows = bytes.data()});
}

}  // namespace caos::vision
