#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace caos::python {

/// Errors of the library become Python's own: ValueError, FileNotFoundError or RuntimeError, with
/// the same message.
void register_errors(pybind11::module_& module);

/// The name of an object's type, for messages.
[[nodiscard]] std::string type_name(pybind11::handle object);

/// Python's `UserWarning`. Throws where the user has made warnings errors.
void warn(const std::string& message);

}  // namespace caos::python
