#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/io/arrays/element_type.hpp"
#include "caos/io/arrays/npy_header.hpp"
#include "caos/io/arrays/shape.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::io {

/// A row-major array of numbers in an .npy file, mapped rather than read where possible.
class NpyArray {
 public:
  /// Opens `path` ("-": standard input).
  /// Whatever is not a whole, plain, little-endian array is an Error bad_format with a remedy.
  [[nodiscard]] static NpyArray open(const std::string& path);
  explicit NpyArray(MappedFile file);

  [[nodiscard]] const Shape& shape() const { return header_.shape; }
  [[nodiscard]] ElementType type() const { return header_.type; }
  [[nodiscard]] std::size_t size() const { return raw().size() / size_of(type()); }

  /// What errors call this array.
  [[nodiscard]] const std::string& name() const { return file_.name(); }

  /// The elements; `T` must be what `type()` says.
  template <typename T>
  [[nodiscard]] std::span<const T> values() const {
    assert(sizeof(T) == size_of(type()));
    return {reinterpret_cast<const T*>(raw().data()), size()};
  }

  /// Calls `f` with the elements as a span of their type.
  template <typename F>
  decltype(auto) visit(F&& f) const;

  /// Throws Error invalid_input unless there are `count` dimensions; `meaning` says what they are:
  /// "inputs x labels x references".
  void require_dimensions(std::size_t count, const char* meaning) const;

  /// As `MappedFile::require_unchanged`.
  void require_unchanged() const { file_.require_unchanged(); }

  /// "[3, 4, 5]": where element `flat` of the row-major order lies, for errors.
  [[nodiscard]] std::string position(std::size_t flat) const;

 private:
  /// The data, aligned for the element type.
  [[nodiscard]] std::span<const std::byte> raw() const;

  MappedFile file_;
  NpyHeader header_;
  std::vector<std::byte> aligned_;  // a copy, where the file's own bytes are misaligned
};

/// Writes an array as numpy.save does, byte for byte; whole or not at all.
/// Requires as many values as the shape has elements.
void write_npy(const std::string& path, const Shape& shape, std::span<const double> values);
void write_npy(const std::string& path, const Shape& shape, std::span<const float> values);
void write_npy(const std::string& path, const Shape& shape, std::span<const std::int64_t> values);
void write_npy(const std::string& path, const Shape& shape, std::span<const std::uint8_t> values);

template <typename F>
decltype(auto) NpyArray::visit(F&& f) const {
  switch (type()) {
    case ElementType::f16:
      break;  // not among the types of .npy files here
    case ElementType::f32:
      return f(values<float>());
    case ElementType::f64:
      return f(values<double>());
    case ElementType::i8:
      return f(values<std::int8_t>());
    case ElementType::i16:
      return f(values<std::int16_t>());
    case ElementType::i32:
      return f(values<std::int32_t>());
    case ElementType::i64:
      return f(values<std::int64_t>());
    case ElementType::u8:
      return f(values<std::uint8_t>());
    case ElementType::u16:
      return f(values<std::uint16_t>());
    case ElementType::u32:
      return f(values<std::uint32_t>());
    case ElementType::u64:
      return f(values<std::uint64_t>());
  }
  __builtin_unreachable();
}

}  // namespace caos::io
