#include "bindings/python/module/keywords.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* other_names[] = {"confidence_level", "n_jobs", "random_state"};

/// How pybind11 calls a function, and the signature in its docstring.
struct Function {
  PyCFunctionWithKeywords call = nullptr;
  std::string signature{};
};

/// By what pybind11 gives a function as its self. Written while the module is imported.
std::unordered_map<PyObject*, Function>& functions() {
  static auto* const all = new std::unordered_map<PyObject*, Function>;  // never destroyed
  return *all;
}

py::module_ keywords_module() { return py::module_::import("caos._keywords"); }

bool has_other_name(PyObject* keywords) {
  return keywords != nullptr && std::ranges::any_of(other_names, [&](const char* name) {
           return PyDict_GetItemString(keywords, name) != nullptr;
         });
}

/// Puts a clear error in the place of pybind11's.
void explain(const Function& function, PyObject* arguments, PyObject* keywords) {
  py::error_already_set error;  // takes it
  const std::string said = py::str(error.value()).cast<std::string>();
  if (said.find("incompatible function arguments") == std::string::npos &&
      said.find("incompatible constructor arguments") == std::string::npos) {
    error.restore();
    return;
  }
  const py::object given = keywords == nullptr ? py::dict() : py::handle(keywords).cast<py::dict>();
  const py::str what =
      keywords_module().attr("explanation")(function.signature, PyTuple_GET_SIZE(arguments), given);
  PyErr_SetObject(PyExc_TypeError, what.ptr());
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const Function& function = functions().at(self);
  try {
    py::object translated;
    if (has_other_name(keywords)) {
      translated = keywords_module().attr("translated")(function.signature, py::handle(keywords));
      keywords = translated.ptr();
    }
    PyObject* const result = function.call(self, arguments, keywords);
    if (result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
      explain(function, arguments, keywords);
    }
    return result;
  } catch (py::error_already_set& error) {
    error.restore();
    return nullptr;
  }
}

void add(py::handle object) {
  py::handle function = object;
  if (PyInstanceMethod_Check(function.ptr()) != 0) {
    function = PyInstanceMethod_GET_FUNCTION(function.ptr());
  }
  if (PyCFunction_Check(function.ptr()) == 0) return;
  PyMethodDef* const method = reinterpret_cast<PyCFunctionObject*>(function.ptr())->m_ml;
  const std::string doc = method->ml_doc == nullptr ? "" : method->ml_doc;
  const std::string signature = doc.substr(0, doc.find('\n'));
  // A later pybind11 may call functions in another way; then its own errors stay.
  const bool known = method->ml_flags == (METH_VARARGS | METH_KEYWORDS) &&
                     signature.find(") -> ") != std::string::npos &&
                     doc.find("Overloaded function.") == std::string::npos;
  PyObject* const self = PyCFunction_GET_SELF(function.ptr());
  if (!known || functions().contains(self)) return;
  functions()[self] = {.call = reinterpret_cast<PyCFunctionWithKeywords>(
                           reinterpret_cast<void (*)()>(method->ml_meth)),
                       .signature = signature};
  method->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call));
}

}  // namespace

void register_keywords(py::module_& module) {
  for (const auto& [name, thing] : py::dict(module.attr("__dict__"))) {
    add(thing);
    if (!py::isinstance<py::type>(thing)) continue;
    for (const auto& [member, value] : py::dict(thing.attr("__dict__"))) add(value);
  }
}

}  // namespace caos::python
