#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>

#include "caos/split.hpp"

namespace caos::python {

/// Which of n labeled examples are references in the split methods: those with the numbers given,
/// or a half that `seed` draws where they are None.
[[nodiscard]] split::Partition partition_of(pybind11::handle reference_indices, std::size_t n,
                                            std::uint64_t seed);

}  // namespace caos::python
