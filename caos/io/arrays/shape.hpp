#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace caos::io {

/// Lengths of the dimensions of a row-major array, slowest first.
using Shape = std::vector<std::size_t>;

/// "100 x 50", for errors.
[[nodiscard]] std::string describe(const Shape& shape);

/// Number of bytes of an array, or nothing where it does not fit in memory.
/// An empty array whose other dimensions would not fit counts as too large as well, so products of
/// dimensions never overflow later.
[[nodiscard]] std::optional<std::size_t> byte_size(const Shape& shape, std::size_t element_size);

}  // namespace caos::io
