#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "caos/core/error.hpp"

namespace caos::python {

/// A whole number from Python that cannot be below `least`. Taking counts as they come and refusing
/// here gives users a ValueError with a name, where pybind11 would only find no matching function.
[[nodiscard]] inline std::size_t count_of(std::int64_t value, const char* name,
                                          std::int64_t least = 0) {
  require(value >= least, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is {}; expected a whole number from {}", name, value, least);
  });
  return static_cast<std::size_t>(value);
}

}  // namespace caos::python
