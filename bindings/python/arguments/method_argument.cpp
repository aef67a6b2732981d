#include "bindings/python/arguments/method_argument.hpp"

#include <algorithm>
#include <string>

namespace caos::python {
namespace py = pybind11;

std::vector<Method> methods_of(py::handle names) {
  if (py::isinstance<py::str>(names)) return {parse_method(names.cast<std::string>())};
  std::vector<Method> methods;
  for (const py::handle name : names) {
    const Method method = parse_method(py::str(name).cast<std::string>());
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

}  // namespace caos::python
