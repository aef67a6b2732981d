#include "bindings/python/arguments/alphas.hpp"

#include <algorithm>

#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// A list, tuple or array; but no text, and no array without dimensions.
bool is_sequence(py::handle object) {
  return PySequence_Check(object.ptr()) != 0 && !py::isinstance<py::str>(object) &&
         !(py::hasattr(object, "ndim") && object.attr("ndim").cast<int>() == 0);
}

}  // namespace

Miscoverage alpha_of(py::handle object) {
  if (PyFloat_Check(object.ptr()) != 0) return Miscoverage::from_double(object.cast<double>());
  return Miscoverage::parse(py::str(object).cast<std::string>());
}

Alphas::Alphas(py::handle object) : single(!is_sequence(object)) {
  if (single) {
    values.push_back(alpha_of(object));
    return;
  }
  for (const py::handle one : object) values.push_back(alpha_of(one));
  require(!values.empty(), ErrorKind::invalid_input, "alpha: is an empty list; give at least one");
}

std::vector<Miscoverage> Alphas::distinct() const {
  std::vector<Miscoverage> result;
  for (const Miscoverage& alpha : values) {
    if (std::ranges::find(result, alpha) == result.end()) result.push_back(alpha);
  }
  return result;
}

py::tuple usual_alphas() {
  py::list alphas;
  for (const std::string_view text : default_alphas)
    alphas.append(Miscoverage::parse(text).value());
  return alphas;
}

}  // namespace caos::python
