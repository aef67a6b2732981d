#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text/models/llama/tiny_gguf.hpp"

/// Files in GGUF, version 3, for tests.
namespace caos::test {

inline constexpr std::size_t alignment = 32;

/// How GGUF numbers the types of values.
enum class ValueType : std::uint32_t {
  uint32 = 4,
  int32 = 5,
  float32 = 6,
  boolean = 7,
  text = 8,
  array = 9
};

inline std::size_t aligned(std::size_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Bytes in the layout of GGUF. All numbers are little-endian.
class Bytes {
 public:
  template <typename T>
  Bytes& number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  Bytes& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void align() { bytes_.resize(aligned(bytes_.size())); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// What the file says about the model: keys and values.
class Metadata {
 public:
  void number(std::string_view key, std::size_t value) {
    start(key, ValueType::uint32).number(static_cast<std::uint32_t>(value));
  }
  void real(std::string_view key, double value) {
    start(key, ValueType::float32).number(static_cast<float>(value));
  }
  void flag(std::string_view key, bool value) {
    start(key, ValueType::boolean).number(static_cast<std::uint8_t>(value));
  }
  void text(std::string_view key, std::string_view value) {
    start(key, ValueType::text).text(value);
  }
  /// An array, to which the caller adds its `size` elements.
  Bytes& array(std::string_view key, ValueType element, std::size_t size) {
    return start(key, ValueType::array).number(element).number<std::uint64_t>(size);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_.bytes(); }

 private:
  Bytes& start(std::string_view key, ValueType type) {
    ++size_;
    return bytes_.text(key).number(type);
  }

  Bytes bytes_;
  std::uint64_t size_ = 0;
};

inline std::string_view bytes_of(const TinyTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.values.data()),
          tensor.values.size() * sizeof(float)};
}

/// Where each tensor is: the sizes go from the fastest running to the slowest.
inline void add_directory(Bytes& file, const std::vector<TinyTensor>& weights) {
  constexpr std::uint32_t float32 = 0;
  std::uint64_t offset = 0;
  for (const TinyTensor& tensor : weights) {
    const bool vector = tensor.rows == 1;
    file.text(tensor.name).number<std::uint32_t>(vector ? 1 : 2);
    file.number<std::uint64_t>(tensor.columns);
    if (!vector) file.number<std::uint64_t>(tensor.rows);
    file.number(float32).number(offset);
    offset += aligned(bytes_of(tensor).size());
  }
}

/// The file.
inline std::string gguf_bytes(const Metadata& metadata, const std::vector<TinyTensor>& weights) {
  Bytes file;
  file.raw("GGUF");
  file.number<std::uint32_t>(3).number<std::uint64_t>(weights.size()).number(metadata.size());
  file.raw(metadata.bytes());
  add_directory(file, weights);
  for (const TinyTensor& tensor : weights) {
    file.align();
    file.raw(bytes_of(tensor));
  }
  file.align();
  return file.bytes();
}

}  // namespace caos::test
