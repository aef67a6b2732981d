#include "bindings/python/module/errors.hpp"

#include <exception>

#include "caos/error.hpp"

namespace caos::python {
namespace {

PyObject* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_input:
    case ErrorKind::bad_format:
      return PyExc_ValueError;
    case ErrorKind::not_found:
      return PyExc_FileNotFoundError;
    case ErrorKind::backend:
      return PyExc_RuntimeError;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void register_errors(pybind11::module_& /*module*/) {
  pybind11::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      PyErr_SetString(exception_of(error.kind()), error.what());
    }
  });
}

std::string type_name(pybind11::handle object) {
  return pybind11::str(pybind11::type::handle_of(object).attr("__name__")).cast<std::string>();
}

void warn(const std::string& message) {
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw pybind11::error_already_set();
}

}  // namespace caos::python
