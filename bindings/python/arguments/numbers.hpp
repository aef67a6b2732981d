#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>

#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

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

/// The place that an index from Python means, which counts from the end where it is negative; an
/// IndexError if there is none. `what` names the things that there are `count` of.
[[nodiscard]] inline std::size_t index_of(pybind11::ssize_t i, std::size_t count,
                                          const char* what) {
  const auto signed_count = static_cast<pybind11::ssize_t>(count);
  if (i < 0) i += signed_count;
  if (i < 0 || i >= signed_count) {
    throw pybind11::index_error(fmt::format("there are {} {}", count, what));
  }
  return static_cast<std::size_t>(i);
}

/// What the argument `clip_rank` asks for.
[[nodiscard]] inline RankRule rank_rule(bool clip_rank) {
  return clip_rank ? RankRule::clip : RankRule::every_label;
}

}  // namespace caos::python
