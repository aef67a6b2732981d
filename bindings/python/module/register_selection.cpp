#include <fmt/format.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/selection_arguments.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

/// What `caos.Selection` is.
struct NamedSelection {
  selection::Selection selection{};
  Miscoverage q;
  Guarantee guarantee{};
};

constexpr const char* class_text =
    R"(Which predictions may be accepted unseen, made by caos.conformal_selection.

Among the accepted ones, the expected share that is wrong is at most q.)";

constexpr const char* select_text =
    R"(Accept predictions so that the expected share of wrong ones among them is at most q.

Conformal selection (Jin and Candes 2023): p-values from calibration examples whose errors are
known, then Benjamini and Hochberg's rule, in exact arithmetic.

errors: for each calibration example, whether its prediction is wrong (bool, or 0 and 1), such as
    off by more than a tolerance.
confidence_cal: for each calibration example, how sure its prediction is; larger is surer.
confidence_new: the same for the candidates. Predictions and confidences of both must be made in the
    same way, from labeled examples that are neither; leaving each example out in turn is not valid.
q: the largest expected share of wrong ones among the accepted, such as 0.1.
changed: what was changed after results were seen, a list of 'tolerance', 'q', 'candidates',
    'examples', 'proposals'. Any of it voids the guarantee.
reviewed: whether a candidate was reviewed before this decision, which voids the guarantee.

Returns a Selection. Where the calibration examples are too few for q nothing is accepted, and a
warning says how many are needed.)";

/// Whether each prediction is wrong, from bool or from 0 and 1.
std::vector<bool> errors_of(py::handle object) {
  const py::array array = as_array(object, "errors");
  require_dimensions(array, 1, "errors", "one per calibration example");
  std::vector<bool> errors;
  if (array.dtype().kind() == 'b') {
    const py::array_t<bool> values(array);
    errors.assign(values.data(), values.data() + values.size());
    return errors;
  }
  for (const std::int64_t value : integers_of(array, "errors")) {
    require(value == 0 || value == 1, ErrorKind::invalid_input, [&] {
      return fmt::format("errors: element {} is {}; expected True or False", errors.size(), value);
    });
    errors.push_back(value == 1);
  }
  return errors;
}

std::vector<double> confidences_of(py::handle object, const char* name) {
  const RealArray array(object, name);
  require_dimensions(array.array(), 1, name, "one number each");
  return array.widened();
}

NamedSelection conformal_selection(const py::object& errors, const py::object& confidence_cal,
                                   const py::object& confidence_new, const py::object& q,
                                   const std::vector<std::string>& changed, bool reviewed) {
  const std::vector<bool> wrong = errors_of(errors);
  const std::vector<double> known = confidences_of(confidence_cal, "confidence_cal");
  require(wrong.size() == known.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("confidence_cal: there are {}; errors has {}", known.size(), wrong.size());
  });
  std::vector<selection::Outcome> calibration;
  for (std::size_t i = 0; i < known.size(); ++i) {
    calibration.push_back({.confidence = known[i], .wrong = wrong[i]});
  }
  const std::vector<double> candidates = confidences_of(confidence_new, "confidence_new");
  NamedSelection result{.q = level_of(q)};
  result.guarantee = selection::guarantee_of(history_of(changed, reviewed));
  result.selection = selection::select(calibration, candidates, result.q);
  if (!is_feasible(calibration.size(), result.q)) {
    warn(fmt::format(
        "q {}: nothing can be accepted with {} calibration examples; at least {} are needed",
        result.q.text(), calibration.size(), examples_needed(result.q)));
  }
  return result;
}

}  // namespace

void register_selection(py::module_& module) {
  public_class<NamedSelection>(module, "Selection", "caos",
                               MadeBy{"caos.conformal_selection gives one"}, class_text)
      .def_property_readonly(
          "accepted", [](const NamedSelection& s) { return array_of(s.selection.accepted); },
          "Whether each candidate is accepted.")
      .def_property_readonly(
          "p_values", [](const NamedSelection& s) { return p_values_of(s.selection); },
          "The p-value of each candidate: (1 + wrong calibration examples that are at least as "
          "sure) / (n + 1).")
      .def_property_readonly(
          "num_calibration", [](const NamedSelection& s) { return s.selection.num_calibration; },
          "How many calibration examples there were.")
      .def_property_readonly(
          "q", [](const NamedSelection& s) { return s.q.value(); },
          "The largest expected share of wrong ones among the accepted.")
      .def_property_readonly(
          "feasible",
          [](const NamedSelection& s) { return is_feasible(s.selection.num_calibration, s.q); },
          "Whether the calibration examples are enough for q. If not, nothing is accepted.")
      .def_property_readonly(
          "guarantee", [](const NamedSelection& s) { return s.guarantee.text(); },
          "'FDR': the expected share of wrong ones among the accepted is at most q; or 'none' and "
          "why.")
      .def_property_readonly(
          "assumption", [](const NamedSelection&) { return selection_assumption(); },
          "The assumptions of the guarantee.")
      .def("__len__", [](const NamedSelection& s) { return s.selection.accepted.size(); })
      .def("__repr__",
           [](const NamedSelection& s) {
             return fmt::format("Selection({} of {} accepted, q {}, guarantee {})",
                                s.selection.num_accepted, s.selection.accepted.size(), s.q.text(),
                                s.guarantee.text());
           })
      .def(py::pickle(
          [](const NamedSelection& s) {
            return py::make_tuple(state_of(s.selection), s.q.text(), state_of(s.guarantee));
          },
          [](const py::tuple& state) {
            return NamedSelection{.selection = selection_from(state[0]),
                                  .q = Miscoverage::parse(state[1].cast<std::string>()),
                                  .guarantee = guarantee_from(state[2])};
          }));
  module.def("conformal_selection", &conformal_selection, py::arg("errors"),
             py::arg("confidence_cal"), py::arg("confidence_new"), py::arg("q"), py::kw_only(),
             py::arg("changed") = std::vector<std::string>(), py::arg("reviewed") = false,
             select_text);
}

}  // namespace caos::python
