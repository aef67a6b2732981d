#include "caos/vision/codecs/tiff_file.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "caos/vision/codecs/refuse_image.hpp"

namespace caos::vision {
namespace {

using Memory = TiffFile::Memory;

Memory& memory_of(thandle_t handle) { return *static_cast<Memory*>(handle); }

tmsize_t read(thandle_t handle, void* to, tmsize_t size) {
  Memory& memory = memory_of(handle);
  const std::uint64_t end = memory.bytes.size();
  const std::uint64_t start = std::min(memory.at, end);
  const std::uint64_t count = std::min(static_cast<std::uint64_t>(size), end - start);
  std::ranges::copy(memory.bytes.subspan(start, count), static_cast<std::byte*>(to));
  memory.at = start + count;
  return static_cast<tmsize_t>(count);
}

tmsize_t refuse_write(thandle_t, void*, tmsize_t) { return 0; }

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Memory& memory = memory_of(handle);
  if (whence == SEEK_SET) memory.at = offset;
  if (whence == SEEK_CUR) memory.at += offset;
  if (whence == SEEK_END) memory.at = memory.bytes.size() + offset;
  return memory.at;
}

int leave_open(thandle_t) { return 0; }

toff_t size_of(thandle_t handle) { return memory_of(handle).bytes.size(); }

/// libtiff only reads what it maps.
int map(thandle_t handle, void** base, toff_t* size) {
  const auto bytes = memory_of(handle).bytes;
  *base = const_cast<std::byte*>(bytes.data());
  *size = bytes.size();
  return 1;
}

void unmap(thandle_t, void*, toff_t) {}

/// Keeps the first complaint, which is the cause of the others.
int keep_error(TIFF*, void* user, const char*, const char* format, va_list values) {
  auto& error = static_cast<Memory*>(user)->error;
  if (error[0] == '\0') (void)std::vsnprintf(error.data(), error.size(), format, values);
  return 1;
}

int ignore_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

}  // namespace

TiffFile::TiffFile(std::span<const std::byte> bytes, const std::string& name)
    : memory_{.bytes = bytes}, name_(name) {
  constexpr tmsize_t largest_part = 0x7fffffff;  // in memory
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &memory_);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, nullptr);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_part);
  tiff_.reset(TIFFClientOpenExt("", "r", &memory_, read, refuse_write, seek, leave_open, size_of,
                                map, unmap, options.get()));
  if (!tiff_) refuse_damaged();
}

void TiffFile::Close::operator()(tiff* file) const { TIFFClose(file); }

std::uint16_t TiffFile::short_number(std::uint32_t tag, std::uint16_t otherwise) const {
  std::uint16_t value = 0;
  return TIFFGetFieldDefaulted(get(), tag, &value) != 0 ? value : otherwise;
}

std::uint32_t TiffFile::number(std::uint32_t tag) const {
  std::uint32_t value = 0;
  return TIFFGetFieldDefaulted(get(), tag, &value) != 0 ? value : 0;
}

void TiffFile::refuse_damaged() const {
  const std::string_view said = memory_.error.data();
  refuse(name_, fmt::format("is damaged ({}); save or copy it again",
                            said.empty() ? "libtiff cannot read it" : said));
}

}  // namespace caos::vision
