#include "caos/io/arrays/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

namespace caos::io {

std::string describe(const Shape& shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

std::optional<std::size_t> byte_size(const Shape& shape, std::size_t element_size) {
  std::size_t size = element_size;
  for (const std::size_t length : shape) {
    if (__builtin_mul_overflow(size, std::max<std::size_t>(length, 1), &size)) return std::nullopt;
  }
  if (size > PTRDIFF_MAX) return std::nullopt;
  return std::ranges::find(shape, 0U) == shape.end() ? size : 0;
}

}  // namespace caos::io
