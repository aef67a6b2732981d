#include "bindings/python/arguments/confidence_argument.hpp"

#include <fmt/format.h>

#include <string>

#include "bindings/python/arguments/numbers.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;

Confidence confidence_of(py::handle object) {
  if (PyFloat_Check(object.ptr()) != 0) return Confidence::from_double(object.cast<double>());
  return Confidence::parse(py::str(object).cast<std::string>());
}

std::optional<TrainingConditional> conditional_of(py::handle confidence,
                                                  const std::optional<std::int64_t>& pool_size,
                                                  std::size_t num_labeled) {
  require(!confidence.is_none() || !pool_size, ErrorKind::invalid_input,
          "pool_size goes with confidence; leave it out, or give both");
  if (confidence.is_none()) return std::nullopt;
  TrainingConditional what{.confidence = confidence_of(confidence)};
  if (!pool_size) return what;
  const std::size_t size = count_of(*pool_size, "pool_size", 1);
  require(size > num_labeled, ErrorKind::invalid_input, [&] {
    return fmt::format("pool_size: is {}, of which {} are labeled, so none remains", size,
                       num_labeled);
  });
  what.remaining = size - num_labeled;
  return what;
}

}  // namespace caos::python
