#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/landmark_tolerance.hpp"
#include "caos/landmarks/points/point_units.hpp"

namespace caos::python {

/// A tolerance as text: a number of pixels, or a text that says its unit.
[[nodiscard]] std::string tolerance_text(const pybind11::handle& tolerance);

/// Positive millimeters per pixel, [count] or one for all; empty for None. `of_what` completes `one
/// per ...` in errors.
[[nodiscard]] std::vector<std::optional<double>> scales_of(const pybind11::object& scales,
                                                           std::size_t count,
                                                           const std::string& of_what);

/// What errors of points are reported in: tolerances, one or several, or None; two names of
/// landmarks, or None. `landmarks` are all of them.
[[nodiscard]] PointUnits point_units_of(const pybind11::object& tolerances,
                                        const pybind11::object& normalize_by,
                                        const std::vector<std::string>& landmarks);

}  // namespace caos::python
