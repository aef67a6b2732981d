#include "bindings/python/arguments/point_inputs.hpp"

#include <fmt/format.h>

#include "bindings/python/arguments/annotated_argument.hpp"
#include "bindings/python/arguments/point_error_arguments.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Names = std::optional<std::vector<std::string>>;

/// A point and its label must agree.
void check_labels(const AnnotatedImages& images, py::handle labels, const std::string& labels_name,
                  const std::string& name, const PatchImages& of) {
  const Matrix<std::int64_t> given = patch_labels_of(labels, labels_name, of);
  const Matrix<std::int64_t>& own = images.patches.labels;
  require(given.cols() == own.cols(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} landmarks; {} has {}", name, own.cols(), labels_name,
                       given.cols());
  });
  for (std::size_t i = 0; i < given.rows(); ++i) {
    for (std::size_t t = 0; t < given.cols(); ++t) {
      require(given(i, t) == own(i, t), ErrorKind::invalid_input, [&] {
        return fmt::format("{}: element [{}, {}] is in patch {}; {} has {} there", name, i, t,
                           own(i, t), labels_name, given(i, t));
      });
    }
  }
}

void append(AnnotatedImages& images, const AnnotatedImages& more) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(images.files, more.files);
  add(images.names, more.names);
  add(images.frames, more.frames);
  add(images.patches.grids, more.patches.grids);
  if (images.gray.empty() || more.gray.empty()) {
    images.gray.clear();
  } else {
    add(images.gray, more.gray);
  }
  for (std::size_t i = 0; i < more.size(); ++i) {
    images.points.push_row(more.points.row(i));
    images.patches.labels.push_row(more.patches.labels.row(i));
    images.patches.offsets.push_row(more.patches.offsets.row(i));
  }
}

}  // namespace

std::optional<PointInputs> point_inputs(const PatchImages& images, py::handle labels,
                                        const PatchImages& test, py::handle test_labels,
                                        const Names& landmarks, const PointArguments& arguments) {
  const bool has_points = !arguments.points.is_none();
  require(has_points == !arguments.test_points.is_none(), ErrorKind::invalid_input,
          "points, test_points: give both, or none of them");
  require(has_points || (arguments.tolerances.is_none() && arguments.normalize_by.is_none() &&
                         arguments.scales.is_none()),
          ErrorKind::invalid_input,
          "tolerances, normalize_by and scales are about points; give points and test_points");
  if (!has_points) return std::nullopt;
  PointInputs inputs{.images = annotated_of(images, arguments.points, landmarks, "points"),
                     .num_labeled = images.size()};
  const AnnotatedImages tested =
      annotated_of(test, arguments.test_points, landmarks, "test_points");
  check_labels(inputs.images, labels, "labels", "points", images);
  check_labels(tested, test_labels, "test_labels", "test_points", test);
  append(inputs.images, tested);
  inputs.units =
      point_units_of(arguments.tolerances, arguments.normalize_by, inputs.images.patches.tasks);
  if (!arguments.scales.is_none()) {
    inputs.units.millimeters.resize(images.size());
    for (const auto& scale : scales_of(arguments.scales, test.size(), "test image")) {
      inputs.units.millimeters.push_back(scale);
    }
  }
  inputs.image_units = image_units(inputs.images, inputs.units);
  return inputs;
}

}  // namespace caos::python
