#include "bindings/python/arguments/point_error_arguments.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

std::size_t landmark_of(const std::string& name, const std::vector<std::string>& landmarks) {
  const auto found = std::ranges::find(landmarks, name);
  require(found != landmarks.end(), ErrorKind::invalid_input,
          [&] { return fmt::format("normalize_by: unknown landmark '{}'", name); });
  return static_cast<std::size_t>(found - landmarks.begin());
}

ReferenceDistance reference_of(const py::object& normalize_by,
                               const std::vector<std::string>& landmarks) {
  std::vector<std::string> names;
  if (!py::isinstance<py::str>(normalize_by)) {
    for (const py::handle name : normalize_by) names.push_back(py::str(name).cast<std::string>());
  }
  require(names.size() == 2 && names[0] != names[1], ErrorKind::invalid_input,
          "normalize_by: expected the names of two landmarks, such as ('left', 'right')");
  return {.from = names[0],
          .to = names[1],
          .ends = {landmark_of(names[0], landmarks), landmark_of(names[1], landmarks)}};
}

bool is_one(const py::object& tolerances) {
  return py::isinstance<py::str>(tolerances) || py::isinstance<py::float_>(tolerances) ||
         py::isinstance<py::int_>(tolerances);
}

}  // namespace

std::string tolerance_text(const py::handle& tolerance) {
  if (py::isinstance<py::str>(tolerance)) return tolerance.cast<std::string>();
  return LandmarkTolerance::pixels(py::float_(py::reinterpret_borrow<py::object>(tolerance)))
      .text();
}

std::vector<std::optional<double>> scales_of(const py::object& scales, std::size_t count,
                                             const std::string& of_what) {
  if (scales.is_none()) return {};
  const RealArray array(scales, "scales");
  if (array.ndim() > 0) {
    require_dimensions(array.array(), 1, "scales", ("one per " + of_what).c_str());
  }
  std::vector<std::optional<double>> result;
  for (const double scale : array.widened()) {
    require(scale > 0 && std::isfinite(scale), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "scales: element {} is {}; expected a positive number of millimeters per pixel",
          result.size(), scale);
    });
    result.emplace_back(scale);
  }
  if (array.ndim() == 0) result.resize(count, result.front());
  require(result.size() == count, ErrorKind::invalid_input, [&] {
    return fmt::format("scales: there are {}; expected {}, one per {}", result.size(), count,
                       of_what);
  });
  return result;
}

PointUnits point_units_of(const py::object& tolerances, const py::object& normalize_by,
                          const std::vector<std::string>& landmarks) {
  PointUnits units;
  if (!normalize_by.is_none()) units.reference = reference_of(normalize_by, landmarks);
  if (tolerances.is_none()) return units;
  const py::object all = is_one(tolerances) ? py::object(py::make_tuple(tolerances)) : tolerances;
  for (const py::handle tolerance : all) {
    units.tolerances.push_back(
        parse_point_tolerance(tolerance_text(tolerance), landmarks, units.reference));
  }
  return units;
}

}  // namespace caos::python
