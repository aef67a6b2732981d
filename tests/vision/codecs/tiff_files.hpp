#pragma once

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "caos/rng.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

/// TIFF files of every kind in memory, for tests, written by libtiff.
namespace tiff_files {

using image_files::Bytes;

struct Kind {
  int bits = 8;
  int channels = 3;
  int meaning = PHOTOMETRIC_RGB;
  int compression = COMPRESSION_NONE;
  bool is_tiled = false;
  bool has_planes = false;
  int orientation = 1;
  int number = SAMPLEFORMAT_UINT;
  std::optional<std::uint16_t> extra{};  // what the fourth channel is
  bool is_big_endian = false;
  int predictor = 1;
  std::uint32_t width = 37;
  std::uint32_t height = 21;

  [[nodiscard]] std::string name() const {
    return fmt::format(
        "TIFF of {} bits x {}, photometric {}, compression {}, tiles {}, planes {}, orientation {}, "
        "format {}, extra {}, big endian {}, predictor {}",
        bits, channels, meaning, compression, is_tiled, has_planes, orientation, number,
        extra.value_or(99), is_big_endian, predictor);
  }
};

struct Memory {
  std::vector<std::uint8_t> bytes{};
  std::size_t at = 0;
};

inline Memory& memory_of(thandle_t handle) { return *static_cast<Memory*>(handle); }

inline tmsize_t read(thandle_t handle, void* to, tmsize_t size) {
  Memory& memory = memory_of(handle);
  const std::size_t start = std::min(memory.at, memory.bytes.size());
  const std::size_t count = std::min(static_cast<std::size_t>(size), memory.bytes.size() - start);
  std::copy_n(memory.bytes.begin() + static_cast<std::ptrdiff_t>(start), count,
              static_cast<std::uint8_t*>(to));
  memory.at = start + count;
  return static_cast<tmsize_t>(count);
}

inline tmsize_t write(thandle_t handle, void* from, tmsize_t size) {
  Memory& memory = memory_of(handle);
  const auto count = static_cast<std::size_t>(size);
  memory.bytes.resize(std::max(memory.bytes.size(), memory.at + count));
  std::copy_n(static_cast<const std::uint8_t*>(from), count,
              memory.bytes.begin() + static_cast<std::ptrdiff_t>(memory.at));
  memory.at += count;
  return size;
}

inline toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Memory& memory = memory_of(handle);
  if (whence == SEEK_SET) memory.at = offset;
  if (whence == SEEK_CUR) memory.at += offset;
  if (whence == SEEK_END) memory.at = memory.bytes.size() + offset;
  return memory.at;
}

inline int close(thandle_t) { return 0; }
inline toff_t size_of(thandle_t handle) { return memory_of(handle).bytes.size(); }

inline void set_tags(TIFF* tiff, const Kind& kind) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kind.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kind.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind.channels);
  if (kind.meaning >= 0) TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind.meaning);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind.compression);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, kind.has_planes ? 2 : 1);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, kind.orientation);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, kind.number);
  if (kind.predictor != 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, kind.predictor);
  if (kind.extra) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &*kind.extra);
  if (kind.is_tiled) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 8);
  }
}

inline void set_palette(TIFF* tiff, const Kind& kind) {
  std::vector<std::uint16_t> red(std::size_t{1} << kind.bits);
  auto green = red;
  auto blue = red;
  for (std::size_t i = 0; i < red.size(); ++i) {
    red[i] = static_cast<std::uint16_t>(i * 7919);
    green[i] = static_cast<std::uint16_t>(65535 - i * 257);
    blue[i] = static_cast<std::uint16_t>(i * 257);
  }
  TIFFSetField(tiff, TIFFTAG_COLORMAP, red.data(), green.data(), blue.data());
}

/// Strips or tiles of random numbers.
inline void write_pixels(TIFF* tiff, const Kind& kind) {
  caos::Rng rng(11);
  const auto fill = [&](tmsize_t size) {
    std::vector<std::uint8_t> data(static_cast<std::size_t>(size));
    for (auto& value : data) value = static_cast<std::uint8_t>(rng.below(256));
    return data;
  };
  const std::uint32_t tiles = kind.is_tiled ? TIFFNumberOfTiles(tiff) : 0;
  for (std::uint32_t i = 0; i < tiles; ++i) {
    auto data = fill(TIFFTileSize(tiff));
    TIFFWriteEncodedTile(tiff, i, data.data(), TIFFTileSize(tiff));
  }
  const std::uint32_t strips = kind.is_tiled ? 0 : TIFFNumberOfStrips(tiff);
  const std::uint32_t in_plane = (kind.height + 7) / 8;
  for (std::uint32_t i = 0; i < strips; ++i) {
    const std::uint32_t rows = std::min(8U, kind.height - i % in_plane * 8);
    auto data = fill(TIFFVStripSize(tiff, rows));
    TIFFWriteEncodedStrip(tiff, i, data.data(), TIFFVStripSize(tiff, rows));
  }
}

inline Bytes make(const Kind& kind) {
  Memory memory;
  TIFF* const tiff = TIFFClientOpen("test", kind.is_big_endian ? "wb" : "wl", &memory, read, write,
                                    seek, close, size_of, nullptr, nullptr);
  set_tags(tiff, kind);
  if (kind.meaning == PHOTOMETRIC_PALETTE) set_palette(tiff, kind);
  write_pixels(tiff, kind);
  TIFFClose(tiff);
  const auto* const first = reinterpret_cast<const std::byte*>(memory.bytes.data());
  return {first, first + memory.bytes.size()};
}

}  // namespace tiff_files
