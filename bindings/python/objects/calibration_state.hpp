#pragma once

#include <pybind11/pybind11.h>

#include "bindings/python/objects/calibrated_scores.hpp"

namespace caos::python {

/// A calibration as plain Python objects, for pickle and copy; and back, to the same bits.
[[nodiscard]] pybind11::tuple state_of(const CalibratedScores& calibrated);
[[nodiscard]] CalibratedScores from_state(const pybind11::tuple& state);

}  // namespace caos::python
