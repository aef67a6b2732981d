#include "caos/io/arrays/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::io {
namespace {

template <typename T>
void write_array(const std::string& path, std::string_view descr, const Shape& shape,
                 std::span<const T> values) {
  require(byte_size(shape, sizeof(T)) == values.size_bytes(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: {} values do not fill the shape {}", path, values.size(),
                       describe(shape));
  });
  write_whole(path, [&](Sink& sink) {
    sink.write(format_npy_header(descr, shape));
    sink.write(std::as_bytes(values));
  });
}

}  // namespace

NpyArray::NpyArray(MappedFile file)
    : file_(std::move(file)), header_(parse_npy_header(file_.bytes(), file_.name())) {
  // Numpy aligns the data to 64 bytes; files made by hand need not.
  const auto data = file_.bytes().subspan(header_.data_offset);
  if (!is_aligned(data, type())) aligned_.assign(data.begin(), data.end());
}

NpyArray NpyArray::open(const std::string& path) { return NpyArray(MappedFile::open(path)); }

std::span<const std::byte> NpyArray::raw() const {
  if (!aligned_.empty()) return aligned_;
  return file_.bytes().subspan(header_.data_offset);
}

void NpyArray::require_dimensions(std::size_t count, const char* meaning) const {
  require(shape().size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} dimension{} ({}); expected {}: {}", name(), shape().size(),
                       shape().size() == 1 ? "" : "s", describe(shape()), count, meaning);
  });
}

std::string NpyArray::position(std::size_t flat) const {
  Shape index(shape().size());
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = flat % shape()[d];
    flat /= shape()[d];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

void write_npy(const std::string& path, const Shape& shape, std::span<const double> values) {
  write_array(path, "<f8", shape, values);
}

void write_npy(const std::string& path, const Shape& shape, std::span<const float> values) {
  write_array(path, "<f4", shape, values);
}

void write_npy(const std::string& path, const Shape& shape, std::span<const std::int64_t> values) {
  write_array(path, "<i8", shape, values);
}

void write_npy(const std::string& path, const Shape& shape, std::span<const std::uint8_t> values) {
  write_array(path, "|u1", shape, values);
}

}  // namespace caos::io
