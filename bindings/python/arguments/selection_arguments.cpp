#include "bindings/python/arguments/selection_arguments.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/python/arguments/alphas.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;

Miscoverage level_of(py::handle object) {
  try {
    return alpha_of(object);
  } catch (const Error&) {
    throw Error(ErrorKind::invalid_input,
                fmt::format("q: is {}; expected a decimal between 0 and 1, such as 0.1",
                            py::str(object).cast<std::string>()));
  }
}

selection::History history_of(const std::vector<std::string>& changed, bool reviewed) {
  selection::History history{.candidate_reviewed = reviewed};
  for (const std::string& what : changed) {
    bool* const flag = what == "tolerance"    ? &history.tolerance_changed
                       : what == "q"          ? &history.q_changed
                       : what == "candidates" ? &history.candidates_changed
                       : what == "examples"   ? &history.examples_changed
                       : what == "proposals"  ? &history.proposals_changed
                                              : nullptr;
    require(flag != nullptr, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "changed: unknown item '{}'; expected tolerance, q, candidates, examples or proposals",
          what);
    });
    *flag = true;
  }
  return history;
}

std::string selection_assumption() {
  return fmt::format("{}; {}", assumption, selection::fixed_beforehand);
}

py::array_t<bool> array_of(const std::vector<bool>& values) {
  py::array_t<bool> array(static_cast<py::ssize_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) array.mutable_data()[i] = values[i];
  return array;
}

py::array_t<double> p_values_of(const selection::Selection& selection) {
  py::array_t<double> array(static_cast<py::ssize_t>(selection.counts.size()));
  for (std::size_t j = 0; j < selection.counts.size(); ++j) {
    array.mutable_data()[j] = selection.p_value(j);
  }
  return array;
}

py::tuple state_of(const selection::Selection& selection) {
  return py::make_tuple(selection.num_calibration, selection.counts, selection.accepted,
                        selection.num_accepted);
}

selection::Selection selection_from(const py::tuple& state) {
  return {.num_calibration = state[0].cast<std::size_t>(),
          .counts = state[1].cast<std::vector<std::size_t>>(),
          .accepted = state[2].cast<std::vector<bool>>(),
          .num_accepted = state[3].cast<std::size_t>()};
}

py::tuple state_of(const Guarantee& guarantee) {
  return py::make_tuple(static_cast<int>(guarantee.kind), guarantee.why_none);
}

Guarantee guarantee_from(const py::tuple& state) {
  return {.kind = static_cast<Guarantee::Kind>(state[0].cast<int>()),
          .why_none = state[1].cast<std::string>()};
}

}  // namespace caos::python
