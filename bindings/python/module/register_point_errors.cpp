#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "bindings/python/module/lines.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/point_errors.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* class_text =
    R"(How far points are from the true ones, made by caos.patches.evaluate.

Of m test images and L landmarks, in pixels of the images as they were given, and of every source:
'proposal', what CAOS proposes, 'nearest_image', the point of the labeled image with the most similar
32 x 32 thumbnail, and 'mean_position', the mean of the labeled positions relative to the size of
the image. A proposed point carries no guarantee. print() shows tables; to_dicts() is for
pandas.DataFrame.)";

std::vector<std::string> sources_of(const MeasuredPoints& self) {
  std::vector<std::string> names;
  for (const SourcePoints& points : self.outcomes.sources) {
    names.emplace_back(point_source_key(points.source));
  }
  return names;
}

std::vector<std::string> units_of(const MeasuredPoints& self) {
  std::vector<std::string> names;
  for (std::size_t u = 0; u < self.summary.units.size(); ++u) {
    names.push_back(unit_text(self.summary, u));
  }
  return names;
}

}  // namespace

void register_point_errors(py::module_& module) {
  public_class<MeasuredPoints>(module, "PointErrors", "caos.patches", class_text)
      .def_property_readonly("sources", &sources_of, "Where points come from, the proposal first.")
      .def_property_readonly(
          "landmarks", [](const MeasuredPoints& p) { return p.summary.landmarks; },
          "The names of the L landmarks.")
      .def_property_readonly("units", &units_of, "What errors are given in: 'px' first.")
      .def_property_readonly(
          "images_left_out", [](const MeasuredPoints& p) { return p.summary.without_unit; },
          "By unit: how many test images lack what it needs, and are left out of its figures.")
      .def_property_readonly(
          "tolerances", [](const MeasuredPoints& p) { return p.summary.tolerances; },
          "The tolerances, in words.")
      .def("points", &MeasuredPoints::points, py::arg("source") = "proposal",
           "The points of a source, one of sources, as (x, y) in pixels, [m, L, 2].")
      .def("errors", &MeasuredPoints::errors, py::arg("source") = "proposal",
           "Distances of the points of a source from the true ones in pixels, [m, L]; NaN where a "
           "landmark is absent.")
      .def(
          "to_dicts", &MeasuredPoints::dicts, py::kw_only(), py::arg("by_landmark") = false,
          "Median, mean and 90 % quantile as plain Python: one dict for each source and unit; with "
          "by_landmark, one for each of these and each landmark. The quantile at p % is the "
          "smallest error that at least p % of the points do not exceed.")
      .def("__repr__", [](const MeasuredPoints& p) { return without_newline(text_of(p.summary)); });
}

}  // namespace caos::python
