#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caos::io {

/// The kinds of numbers an .npy file may hold here, all little-endian.
enum class ElementType { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

[[nodiscard]] std::size_t size_of(ElementType type);

/// As NumPy calls it: `float32`.
[[nodiscard]] std::string_view name_of(ElementType type);

/// Lengths of the dimensions of a row-major array, slowest first.
using Shape = std::vector<std::size_t>;

/// "100 x 50", for errors.
[[nodiscard]] std::string describe(const Shape& shape);

/// Number of bytes of an array, or nothing where it does not fit in memory.
/// An empty array whose other dimensions would not fit counts as too large as well, so products of
/// dimensions never overflow later.
[[nodiscard]] std::optional<std::size_t> byte_size(const Shape& shape, std::size_t element_size);

/// What the front of an .npy file says about the rest.
struct NpyHeader {
  ElementType type = ElementType::f64;
  Shape shape;
  std::size_t data_offset = 0;
  std::size_t data_size = 0;
};

/// Reads the front of an .npy file (versions 1.0, 2.0, 3.0) and checks that the data after it are
/// complete; `name` is what errors call the file.
/// Arrays that are not plain row-major little-endian numbers are an Error bad_format with a remedy.
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name);

/// The front of a version 1.0 file, byte for byte as numpy.save writes it; `descr` as in numpy
/// ("<f8").
[[nodiscard]] std::string format_npy_header(std::string_view descr, const Shape& shape);

}  // namespace caos::io
