#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "caos/evaluation/evaluation_tables.hpp"

/// What `caos.Evaluation`, `caos.MethodResult` and `caos.GroupResult` are made of: the engine's
/// `EvaluationReport`, `MethodResult` and `GroupResult` themselves. An evaluation returns an
/// `EvaluationReport`, and warns of what `evaluation_warnings.hpp` says.
namespace caos::python {

/// The results as plain Python, with the keys of the program's JSON: numbers, texts and booleans;
/// None where JSON has null, infinite thresholds included.
[[nodiscard]] pybind11::list dicts_of(const EvaluationReport& report);

/// The tables for a notebook.
[[nodiscard]] std::string html_of(const EvaluationReport& report);

/// One field of every outcome.
[[nodiscard]] pybind11::array_t<double> outcomes_of(const MethodResult& result,
                                                    double Outcome::*field);

/// A report as plain Python objects, for pickle and copy; and back, to the same bits.
[[nodiscard]] pybind11::tuple state_of(const EvaluationReport& report);
[[nodiscard]] EvaluationReport report_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const MethodResult& result);
[[nodiscard]] MethodResult method_result_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const GroupResult& group);
[[nodiscard]] GroupResult group_result_from(const pybind11::tuple& state);

}  // namespace caos::python
