#include "bindings/python/arguments/annotated_argument.hpp"

#include <fmt/format.h>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

Matrix<vision::Point> points_of(const py::object& object, std::size_t num_landmarks) {
  const std::vector<double> values = RealArray(object, "points").widened();
  Matrix<vision::Point> points(0, num_landmarks);
  for (std::size_t i = 0; i < values.size(); i += 2 * num_landmarks) {
    std::vector<vision::Point> row;
    for (std::size_t t = 0; t < num_landmarks; ++t) {
      row.push_back({.x = values[i + 2 * t], .y = values[i + 2 * t + 1]});
    }
    points.push_row(row);
  }
  return points;
}

/// Where in their patches, or cells, the points lie.
void add_offsets(AnnotatedImages& images) {
  const Matrix<std::int64_t>& labels = images.patches.labels;
  images.patches.offsets = Matrix<Offset>(labels.rows(), labels.cols());
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (std::size_t t = 0; t < labels.cols(); ++t) {
      if (labels(i, t) == missing_label) continue;
      images.patches.offsets(i, t) = images.frames[i].offset_at(images.points(i, t));
    }
  }
}

}  // namespace

const EmbeddedImages& embedded_of(const PatchImages& images) {
  require(images.embedded().has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: expected what caos.patches.embed returns, which knows where patches lie",
        images.name());
  });
  return *images.embedded();
}

AnnotatedImages annotated_of(const PatchImages& images, const py::object& points,
                             const std::optional<std::vector<std::string>>& landmarks,
                             const std::string& name) {
  const EmbeddedImages& embedded = embedded_of(images);
  AnnotatedImages annotated;
  annotated.identity = embedded.record.identity;
  annotated.names = embedded.names;
  annotated.files = embedded.names;
  annotated.frames = embedded.frames;
  for (const auto& image : embedded.gray) annotated.gray.push_back(*image);
  annotated.patches.labels = patch_labels_of(embedded.labels_of(points, name), name, images);
  annotated.patches.tasks = landmark_names_of(landmarks, annotated.patches.labels.cols());
  annotated.points = points_of(points, annotated.patches.labels.cols());
  annotated.patches.grids = images.grids(py::none());
  add_offsets(annotated);
  return annotated;
}

}  // namespace caos::python
