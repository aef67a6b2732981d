#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "caos/method.hpp"

namespace caos::python {

/// The methods that a user names, each once: a list of names, or one name.
[[nodiscard]] std::vector<Method> methods_of(pybind11::handle names);

}  // namespace caos::python
