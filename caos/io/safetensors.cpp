#include "caos/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/refuse.hpp"
#include "caos/io/safetensors_header.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::io {
namespace {

using Bytes = std::span<const std::byte>;

Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// Writing.

/// A name that JSON would escape could look like our checksum.
bool is_plain(std::string_view name) {
  return std::ranges::none_of(
      name, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
}

void require_name(const std::string& path, const std::string& name, bool allowed) {
  require(allowed && is_plain(name), ErrorKind::invalid_input,
          [&] { return fmt::format("{}: '{}' is not a valid name in it", path, name); });
}

void require_array(const std::string& path, const TensorRef& tensor) {
  require(!dtype_of(tensor.type).empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: array '{}' is {}; expected float64, int64, float32 or uint8", path,
                       tensor.name, name_of(tensor.type));
  });
  require(byte_size(tensor.shape, size_of(tensor.type)) == tensor.bytes.size(),
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: array '{}' has {} bytes, which do not fill its shape {}", path,
                               tensor.name, tensor.bytes.size(), describe(tensor.shape));
          });
}

void require_writable(const std::string& path, const Metadata& metadata,
                      std::span<const TensorRef> tensors) {
  for (const auto& [key, text] : metadata) require_name(path, key, key != "checksum");
  std::set<std::string> names = {"__metadata__"};
  for (const TensorRef& tensor : tensors) {
    require_name(path, tensor.name, names.insert(tensor.name).second);
    require_array(path, tensor);
  }
}

/// The layout allows no holes; wide elements first keep all arrays aligned without any.
std::vector<TensorRef> wide_first(std::span<const TensorRef> tensors) {
  std::vector<TensorRef> result(tensors.begin(), tensors.end());
  std::ranges::stable_sort(result, std::greater(), [](const auto& t) { return size_of(t.type); });
  return result;
}

void put_checksum(std::string& header, std::span<const TensorRef> tensors) {
  std::vector<Bytes> parts = {as_bytes(header)};
  for (const TensorRef& tensor : tensors) parts.push_back(tensor.bytes);
  const std::size_t digits = header.find(checksum_key) + checksum_key.size();
  header.replace(digits, checksum_digits, checksum(parts));
}

/// A file, part by part.
class Contents {
 public:
  Contents(const std::string& path, const Metadata& metadata, std::span<const TensorRef> tensors) {
    require_writable(path, metadata, tensors);
    ordered_ = wide_first(tensors);
    header_ = format_safetensors_header(metadata, ordered_, path);
    put_checksum(header_, ordered_);
    length_ = header_.size();
  }

  template <typename Write>
  void for_each_part(const Write& write) const {
    write(std::as_bytes(std::span(&length_, 1)));
    write(as_bytes(header_));
    for (const TensorRef& tensor : ordered_) write(tensor.bytes);
  }

 private:
  std::vector<TensorRef> ordered_;
  std::string header_;
  std::uint64_t length_ = 0;
};

// Reading.

struct Parts {
  std::string_view header;
  Bytes data;
};

Parts split(const MappedFile& file) {
  const Bytes bytes = file.bytes();
  std::uint64_t length = 0;
  const std::string& name = file.name();
  if (bytes.empty()) refuse(name, "is empty; expected a file written by caos");
  if (bytes.size() <= sizeof length) refuse(name, "is too short; it was not written by caos");
  std::memcpy(&length, bytes.data(), sizeof length);
  const Bytes rest = bytes.subspan(sizeof length);
  if (rest[0] != std::byte{'{'} || length > max_safetensors_header) {
    refuse(name, "not a .caos file; give a file that caos wrote");
  }
  if (length > rest.size()) refuse(name, "is truncated within its header; calibrate again");
  const std::string_view text = file.text().substr(sizeof length);
  return {text.substr(0, length), rest.subspan(length)};
}

/// Where the digits of the checksum are; needs no trust in the header, only that they are there.
std::size_t find_checksum(std::string_view header, const std::string& name) {
  const std::size_t key = header.find(checksum_key);
  const std::size_t digits = key + checksum_key.size();
  if (key == std::string_view::npos || header.size() - digits < checksum_digits) {
    refuse(name, "has no checksum; it was not written by caos, or was damaged");
  }
  return digits;
}

/// The checksum of the file, verified.
std::string verify(const Parts& parts, const std::string& name) {
  const std::size_t digits = find_checksum(parts.header, name);
  const std::string zeros(checksum_digits, '0');
  const std::string stated(parts.header.substr(digits, checksum_digits));
  std::string actual =
      checksum({as_bytes(parts.header.substr(0, digits)), as_bytes(zeros),
                as_bytes(parts.header.substr(digits + checksum_digits)), parts.data});
  if (stated != actual) {
    refuse(name, "checksum does not match; the file was altered or damaged; calibrate again");
  }
  return actual;
}

}  // namespace

void write_safetensors(const std::string& path, const Metadata& metadata,
                       std::span<const TensorRef> tensors, Durability durability) {
  const Contents contents(path, metadata, tensors);
  write_whole(
      path, [&](Sink& sink) { contents.for_each_part([&](Bytes part) { sink.write(part); }); },
      durability);
}

std::vector<std::byte> safetensors_bytes(const Metadata& metadata,
                                         std::span<const TensorRef> tensors) {
  std::vector<std::byte> bytes;
  Contents("bytes", metadata, tensors).for_each_part([&](Bytes part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  });
  return bytes;
}

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  return SafetensorsFile(MappedFile::read(path));
}

SafetensorsFile::SafetensorsFile(MappedFile file) : file_(std::move(file)) {
  const Parts parts = split(file_);
  checksum_ = verify(parts, name());
  SafetensorsHeader header = parse_safetensors_header(parts.header, parts.data, name());
  // Elsewhere in the header than in the metadata, it is not ours.
  if (header.metadata["checksum"] != checksum_) refuse(name(), "was not written by caos");
  header.metadata.erase("checksum");
  metadata_ = std::move(header.metadata);
  tensors_ = std::move(header.tensors);
}

const TensorRef& SafetensorsFile::tensor(std::string_view tensor) const {
  const auto found = std::ranges::find(tensors_, tensor, &TensorRef::name);
  if (found == tensors_.end()) refuse(name(), fmt::format("has no array '{}'", tensor));
  return *found;
}

bool SafetensorsFile::contains(std::string_view tensor) const {
  return std::ranges::find(tensors_, tensor, &TensorRef::name) != tensors_.end();
}

template <typename T>
std::span<const T> SafetensorsFile::typed(std::string_view name, ElementType type,
                                          std::size_t dimensions) const {
  const TensorRef& found = tensor(name);
  if (found.type != type || found.shape.size() != dimensions) {
    refuse(file_.name(),
           fmt::format("array '{}' is {} with {} dimensions; expected {} with {}", name,
                       dtype_of(found.type), found.shape.size(), dtype_of(type), dimensions));
  }
  if (!is_aligned(found.bytes, type)) {
    refuse(file_.name(), fmt::format("array '{}' is misaligned; calibrate again", name));
  }
  return {reinterpret_cast<const T*>(found.bytes.data()), found.bytes.size() / sizeof(T)};
}

std::span<const double> SafetensorsFile::f64(std::string_view name, std::size_t dimensions) const {
  return typed<double>(name, ElementType::f64, dimensions);
}

std::span<const float> SafetensorsFile::f32(std::string_view name, std::size_t dimensions) const {
  return typed<float>(name, ElementType::f32, dimensions);
}

std::span<const std::uint16_t> SafetensorsFile::f16(std::string_view name,
                                                    std::size_t dimensions) const {
  return typed<std::uint16_t>(name, ElementType::f16, dimensions);
}

std::span<const std::uint8_t> SafetensorsFile::u8(std::string_view name,
                                                  std::size_t dimensions) const {
  return typed<std::uint8_t>(name, ElementType::u8, dimensions);
}

std::span<const std::int64_t> SafetensorsFile::i64(std::string_view name,
                                                   std::size_t dimensions) const {
  return typed<std::int64_t>(name, ElementType::i64, dimensions);
}

}  // namespace caos::io
