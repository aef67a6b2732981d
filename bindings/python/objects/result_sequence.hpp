#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <string>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "caos/error.hpp"
#include "caos/method.hpp"

namespace caos::python {

/// The result of a method at an alpha; an Error invalid_input where there is none.
template <typename Results>
auto& find_result(Results& results, const std::string& method, const pybind11::object& alpha) {
  const Method wanted = parse_method(method);
  const Miscoverage exact = alpha_of(alpha);
  const auto found = std::ranges::find_if(
      results, [&](const auto& r) { return r.method == wanted && r.alpha == exact; });
  require(found != results.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("{} at alpha {} is not among the {} results", method, exact.text(),
                       results.size());
  });
  return *found;
}

/// Makes a class of evaluations a sequence of results, which `results_of` gives.
template <typename Class, typename F>
void define_results(pybind11::class_<Class>& evaluation, F results_of) {
  namespace py = pybind11;
  constexpr auto inside = py::return_value_policy::reference_internal;
  evaluation.def("__len__", [=](const Class& self) { return results_of(self).size(); })
      .def(
          "__getitem__",
          [=](const Class& self, py::ssize_t i) -> auto& {
            const auto& results = results_of(self);
            return results[index_of(i, results.size(), "results")];
          },
          inside, py::arg("i"))
      .def(
          "__getitem__",
          [](const py::object& self, const py::slice& slice) {
            return py::list(self).attr("__getitem__")(slice);
          },
          py::arg("i"))
      .def(
          "__iter__",
          [=](const Class& self) {
            const auto& results = results_of(self);
            return py::make_iterator(results.begin(), results.end());
          },
          py::keep_alive<0, 1>())
      .def(
          "result",
          [=](const Class& self, const std::string& method, const py::object& alpha) -> auto& {
            return find_result(results_of(self), method, alpha);
          },
          inside, py::arg("method"), py::arg("alpha"),
          "The result of one method at one alpha.\n\n"
          "method: its name, such as 'caos'.\n"
          "alpha: one of the alphas that were evaluated.");
}

}  // namespace caos::python
