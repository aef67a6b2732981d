#include "bindings/python/objects/point_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "caos/error.hpp"
#include "caos/landmarks/points/point_error_text.hpp"
#include "caos/landmarks/points/point_measurement.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using namespace py::literals;

/// Subjects of the labeled, then of the test images, which differ from them.
std::vector<std::size_t> all_subjects(const LabeledPatches& labeled, const TestPatches& test) {
  std::vector<std::size_t> subjects;
  if (labeled.subjects.empty() && test.subjects.empty()) return subjects;
  const auto add = [&](const std::vector<std::size_t>& given, std::size_t count) {
    const std::size_t first = subjects.size();
    for (std::size_t i = 0; i < count; ++i) {
      subjects.push_back(first + (given.empty() ? i : given[i]));
    }
  };
  add(labeled.subjects, labeled.size());
  add(test.subjects, test.size());
  return subjects;
}

const SourcePoints& find(const PointOutcomes& outcomes, const std::string& source) {
  for (const SourcePoints& points : outcomes.sources) {
    if (point_source_key(points.source) == source) return points;
  }
  std::vector<std::string_view> known;
  for (const SourcePoints& points : outcomes.sources) {
    known.push_back(point_source_key(points.source));
  }
  throw Error(ErrorKind::invalid_input, fmt::format("source: unknown '{}'; expected one of {}",
                                                    source, fmt::join(known, ", ")));
}

py::object value_of(const std::optional<PointDistances>& errors,
                    PointFigure PointDistances::*figure) {
  return errors ? py::object(py::float_(((*errors).*figure).value)) : py::none();
}

/// The shares within tolerances do not depend on the unit, and stand in every row.
py::dict row_of(const PointSummary& summary, PointSource source, std::size_t unit,
                const PointErrors& errors) {
  const std::optional<PointDistances>& distances = errors.distances[unit];
  py::dict row("source"_a = std::string(point_source_key(source)),
               "unit"_a = unit_text(summary, unit),
               "num_points"_a = distances ? distances->num_points : 0,
               "median"_a = value_of(distances, &PointDistances::median),
               "mean"_a = value_of(distances, &PointDistances::mean),
               "mean_standard_error"_a =
                   distances ? distances->mean.standard_error : std::optional<double>(),
               "q90"_a = value_of(distances, &PointDistances::q90));
  for (std::size_t i = 0; i < summary.tolerances.size(); ++i) {
    const std::optional<PointShare>& share = errors.within[i];
    row[("within " + summary.tolerances[i]).c_str()] =
        share ? py::object(py::float_(share->share.value)) : py::none();
  }
  return row;
}

}  // namespace

MeasuredPoints measure(PointInputs& points, const LabeledPatches& labeled,
                       const TestPatches& tested, const LandmarkEvaluateOptions& options) {
  AnnotatedImages& images = points.images;
  images.patches.images = labeled.images;
  for (std::size_t x = 0; x < tested.size(); ++x) {
    images.patches.images.push_back(tested.image(x));
  }
  if (labeled.has_cells()) {
    images.patches.cells.sources = labeled.cells.sources;
    for (std::size_t x = 0; x < tested.size(); ++x) {
      images.patches.cells.sources.push_back(tested.cells(x));
    }
    read_cells(images.patches, options.threads);
  }
  images.patches.subjects = all_subjects(labeled, tested);
  PointTest test{.images = images, .units = points.image_units};
  for (std::size_t i = 0; i < images.size(); ++i) {
    (i < points.num_labeled ? test.labeled : test.test).push_back(i);
  }
  for (const std::string& name : labeled.tasks) {
    const auto found = std::ranges::find(images.patches.tasks, name);
    test.landmarks.push_back(static_cast<std::size_t>(found - images.patches.tasks.begin()));
  }
  MeasuredPoints result{
      .outcomes = measure_points(
          test, {.model = {.k = options.k, .score = options.score, .threads = options.threads},
                 .target = options.target})};
  result.summary = summarize_points({result.outcomes}, labeled.tasks, points.units);
  return result;
}

py::array_t<double> MeasuredPoints::points(const std::string& source) const {
  const Matrix<vision::Point>& points = find(outcomes, source).points;
  py::array_t<double> array({points.rows(), points.cols(), std::size_t{2}});
  double* place = array.mutable_data();
  for (std::size_t x = 0; x < points.rows(); ++x) {
    for (const vision::Point& point : points.row(x)) {
      *place++ = point.x;
      *place++ = point.y;
    }
  }
  return array;
}

py::array_t<double> MeasuredPoints::errors(const std::string& source) const {
  const Matrix<double>& errors = find(outcomes, source).errors;
  py::array_t<double> array({errors.rows(), errors.cols()});
  std::copy_n(errors.view().data(), errors.rows() * errors.cols(), array.mutable_data());
  return array;
}

py::list MeasuredPoints::dicts(bool by_landmark) const {
  py::list rows;
  for (const SourceErrors& source : summary.sources) {
    for (std::size_t u = 0; u < summary.units.size(); ++u) {
      if (!by_landmark) {
        rows.append(row_of(summary, source.source, u, source.all));
        continue;
      }
      for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
        py::dict row = row_of(summary, source.source, u, source.landmarks[t]);
        row["landmark"] = summary.landmarks[t];
        rows.append(row);
      }
    }
  }
  return rows;
}

}  // namespace caos::python
