#pragma once

#include <pybind11/pybind11.h>

namespace caos::python {

/// What a function of caos/_frames.py makes of a result: a table of pandas.
inline pybind11::object frame_of(const char* function, const pybind11::object& result) {
  return pybind11::module_::import("caos._frames").attr(function)(result);
}

}  // namespace caos::python
