#include "bindings/python/arguments/partition_argument.hpp"

#include <fmt/format.h>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {

split::Partition partition_of(pybind11::handle reference_indices, std::size_t n,
                              std::uint64_t seed) {
  if (reference_indices.is_none()) return split::halve(n, seed);
  const auto indices = integers_of(reference_indices, "reference_indices");
  try {
    return split::with_references(n, indices);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("reference_indices: {}", error.what()));
  }
}

}  // namespace caos::python
