#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "caos/selection.hpp"

namespace caos::python {

/// The level q of a selection, exact as alpha is.
[[nodiscard]] Miscoverage level_of(pybind11::handle object);

/// What happened before the decision, from names of what was changed: tolerance, q, candidates,
/// examples, proposals.
[[nodiscard]] selection::History history_of(const std::vector<std::string>& changed, bool reviewed);

/// What a selection rests on, in words.
[[nodiscard]] std::string selection_assumption();

/// A new NumPy array with these values.
[[nodiscard]] pybind11::array_t<bool> array_of(const std::vector<bool>& values);
/// The p-value of each candidate.
[[nodiscard]] pybind11::array_t<double> p_values_of(const selection::Selection& selection);

/// As plain Python objects, for pickle and copy; and back.
[[nodiscard]] pybind11::tuple state_of(const selection::Selection& selection);
[[nodiscard]] selection::Selection selection_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const Guarantee& guarantee);
[[nodiscard]] Guarantee guarantee_from(const pybind11::tuple& state);

}  // namespace caos::python
