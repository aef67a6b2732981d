#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "caos/io/arrays/element_type.hpp"
#include "caos/io/arrays/npy_dict.hpp"
#include "caos/io/arrays/shape.hpp"

namespace caos::io {

/// What the front of an .npy file says about the rest.
struct NpyHeader {
  ElementType type = ElementType::f64;
  Shape shape;
  std::size_t data_offset = 0;
  std::size_t data_size = 0;
};

/// The same before the type of the elements is known.
struct NpyFront {
  NpyDict dict;
  std::size_t data_offset = 0;
};

/// Reads the front of an .npy file (versions 1.0, 2.0, 3.0) alone.
[[nodiscard]] NpyFront parse_npy_front(std::span<const std::byte> file, const std::string& name);

/// The bytes of a row-major array with such elements, which must be all that the file has after its
/// front.
[[nodiscard]] std::size_t checked_data_size(const NpyFront& front, std::size_t element_size,
                                            std::size_t file_size, const std::string& name);

/// Reads the front of an .npy file and checks that the data after it are
/// complete; `name` is what errors call the file.
/// Arrays that are not plain row-major little-endian numbers are an Error bad_format with a remedy.
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name);

/// The front of a version 1.0 file, byte for byte as numpy.save writes it; `descr` as in numpy
/// ("<f8").
[[nodiscard]] std::string format_npy_header(std::string_view descr, const Shape& shape);

}  // namespace caos::io
