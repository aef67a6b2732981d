#include "caos/vision/codecs/decode_png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdint>
#include <utility>
#include <vector>

#include "caos/vision/codecs/refuse_image.hpp"
#include "caos/vision/codecs/samples.hpp"

namespace caos::vision {
namespace {

using Bytes = std::span<const std::byte>;

/// What libpng works on. libpng leaves by longjmp, so that nothing between `succeeds` and its
/// errors may need a destructor: hence plain members, filled in and owned from outside.
struct Reading {
  Bytes rest{};
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_bytepp rows = nullptr;
  std::array<char, 120> error{};

  Reading() = default;
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void fail(png_structp png, png_const_charp message) {
  auto& error = static_cast<Reading*>(png_get_error_ptr(png))->error;
  *fmt::format_to_n(error.data(), error.size() - 1, "{}", message).out = '\0';
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

void take_bytes(png_structp png, png_bytep to, std::size_t count) {
  Bytes& rest = static_cast<Reading*>(png_get_io_ptr(png))->rest;
  if (rest.size() < count) png_error(png, "ends too early");
  std::ranges::copy(rest.first(count), reinterpret_cast<std::byte*>(to));
  rest = rest.subspan(count);
}

bool succeeds(Reading& reading, void (*step)(Reading&)) {
  if (setjmp(png_jmpbuf(reading.png)) != 0) return false;
  step(reading);
  return true;
}

/// Gray, RGB or RGBA of 8 or 16 bits. A transparent shade of gray stays that shade.
void ask_for_plain_samples(const Reading& reading) {
  const unsigned color = png_get_color_type(reading.png, reading.info);
  if ((color & PNG_COLOR_MASK_COLOR) == 0) {
    png_set_expand_gray_1_2_4_to_8(reading.png);
    if ((color & PNG_COLOR_MASK_ALPHA) != 0) png_set_gray_to_rgb(reading.png);
    return;
  }
  png_set_expand(reading.png);
}

void read_header(Reading& reading) {
  constexpr png_uint_32 longest_side = 1U << 20;  // as `require_fits` says
  png_set_read_fn(reading.png, &reading, take_bytes);
  png_set_user_limits(reading.png, longest_side, longest_side);
  png_set_crc_action(reading.png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  // Color profiles, texts and the like do not touch the pixels.
  png_set_keep_unknown_chunks(reading.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(reading.png, reading.info);
  ask_for_plain_samples(reading);
  (void)png_set_interlace_handling(reading.png);
  png_read_update_info(reading.png, reading.info);
}

void read_pixels(Reading& reading) {
  png_read_image(reading.png, reading.rows);
  png_read_end(reading.png, nullptr);
}

/// PNG stores the higher byte first.
void narrow_16_bits(std::vector<std::uint8_t>& values) {
  const std::size_t count = values.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = to_8_bits(values[2 * i] * 256U + values[2 * i + 1]);
  }
  values.resize(count);
}

/// Of 8 or 16 bits, as they are.
Samples read_samples(Reading& reading, const std::string& name) {
  const auto run = [&](void (*step)(Reading&)) {
    if (succeeds(reading, step)) return;
    refuse(name, fmt::format("is damaged ({}); save or copy it again", reading.error.data()));
  };
  run(read_header);
  Samples samples{.width = png_get_image_width(reading.png, reading.info),
                  .height = png_get_image_height(reading.png, reading.info),
                  .channels = png_get_channels(reading.png, reading.info)};
  const std::size_t stride = png_get_rowbytes(reading.png, reading.info);
  samples.values.resize(stride * samples.height);
  std::vector<png_bytep> rows(samples.height);
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = samples.values.data() + y * stride;
  reading.rows = rows.data();
  run(read_pixels);
  return samples;
}

void start(Reading& reading, Bytes bytes) {
  reading.rest = bytes;
  reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, fail, ignore_warning);
  if (reading.png != nullptr) reading.info = png_create_info_struct(reading.png);
  if (reading.info == nullptr) throw Error(ErrorKind::backend, "libpng does not start");
}

}  // namespace

Image decode_png(Bytes bytes, const std::string& name) {
  Reading reading;
  start(reading, bytes);
  Samples samples = read_samples(reading, name);
  if (png_get_bit_depth(reading.png, reading.info) == 16) narrow_16_bits(samples.values);
  return to_rgb(std::move(samples));
}

std::vector<std::uint16_t> decode_deep_png(Bytes bytes, const std::string& name) {
  Reading reading;
  start(reading, bytes);
  const Samples samples = read_samples(reading, name);
  std::vector<std::uint16_t> values(samples.width * samples.height);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] =
        static_cast<std::uint16_t>(samples.values[2 * i] * 256U + samples.values[2 * i + 1]);
  }
  return values;
}

}  // namespace caos::vision
