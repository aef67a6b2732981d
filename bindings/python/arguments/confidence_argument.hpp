#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "caos/coverage_law.hpp"

namespace caos::python {

/// A number means the shortest decimal that prints as it; a text the decimal that it is written as.
[[nodiscard]] Confidence confidence_of(pybind11::handle object);

/// What `confidence`, or None, and `pool_size`, or None, ask of split-caos with `num_labeled`
/// labeled examples, which are part of the pool.
[[nodiscard]] std::optional<TrainingConditional> conditional_of(
    pybind11::handle confidence, const std::optional<std::int64_t>& pool_size,
    std::size_t num_labeled);

}  // namespace caos::python
