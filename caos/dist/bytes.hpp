#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/scores.hpp"

namespace caos::dist {

/// A message between processes. Numbers are in it as they are in memory: all processes run the same
/// program on machines of one kind.
using Bytes = std::vector<std::byte>;

/// Puts values into a message, one after another.
class Packer {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T> Packer& put(const T& value) {
    return append(std::as_bytes(std::span(&value, 1)));
  }

  template <typename T>
  requires std::is_trivially_copyable_v<T> Packer& put_all(std::span<const T> values) {
    return put<std::uint64_t>(values.size()).append(std::as_bytes(values));
  }

  Packer& put_text(std::string_view text) { return put_all(std::span(text.data(), text.size())); }

  Packer& put_texts(std::span<const std::string> texts) {
    put<std::uint64_t>(texts.size());
    for (const std::string& text : texts) put_text(text);
    return *this;
  }

  template <typename T>
  Packer& put_matrix(const Matrix<T>& matrix) {
    put<std::uint64_t>(matrix.rows()).template put<std::uint64_t>(matrix.cols());
    return append(std::as_bytes(std::span(matrix.view().data(), matrix.rows() * matrix.cols())));
  }

  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Packer& append(std::span<const std::byte> bytes) {
    const std::size_t size = bytes_.size();
    bytes_.resize(size + bytes.size());
    if (!bytes.empty()) std::memcpy(bytes_.data() + size, bytes.data(), bytes.size());
    return *this;
  }

  Bytes bytes_;
};

/// Takes them out again, in the same order. A message that ends too early is an Error backend.
class Unpacker {
 public:
  /// The bytes must outlive it.
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T get() {
    T value;
    std::memcpy(&value, next(1, sizeof value).data(), sizeof value);
    return value;
  }

  [[nodiscard]] std::size_t get_size() { return static_cast<std::size_t>(get<std::uint64_t>()); }

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] std::vector<T> get_all() {
    const std::span<const std::byte> from = next(get_size(), sizeof(T));
    std::vector<T> values(from.size() / sizeof(T));
    if (!from.empty()) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }

  [[nodiscard]] std::string get_text() {
    const std::span<const std::byte> from = next(get_size(), 1);
    return {reinterpret_cast<const char*>(from.data()), from.size()};
  }

  [[nodiscard]] std::vector<std::string> get_texts() {
    std::vector<std::string> texts(get_size());
    for (std::string& text : texts) text = get_text();
    return texts;
  }

  template <typename T>
  [[nodiscard]] Matrix<T> get_matrix() {
    const std::size_t rows = get_size();
    const std::size_t cols = get_size();
    Matrix<T> matrix(rows, cols);
    const std::span<const std::byte> from = next(rows * cols, sizeof(T));
    if (!from.empty()) std::memcpy(matrix.view().data(), from.data(), from.size());
    return matrix;
  }

 private:
  std::span<const std::byte> next(std::size_t count, std::size_t size) {
    require(count <= bytes_.size() / size, ErrorKind::backend,
            "a message between processes is cut off; do all of them run the same caos?");
    const std::span<const std::byte> result = bytes_.first(count * size);
    bytes_ = bytes_.subspan(count * size);
    return result;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace caos::dist
