#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>

#include "caos/grouping.hpp"
#include "caos/scores.hpp"

namespace caos::python {

/// The groups of n labeled examples: None, 'labels', or one whole number each.
[[nodiscard]] Grouping grouping_of(const pybind11::object& groups, std::span<const Label> labels,
                                   std::size_t n, std::size_t num_labels);

}  // namespace caos::python
