#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/objects/patch_images.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/points/point_units.hpp"

namespace caos::python {

/// What a user says about points, to measure their errors; None where nothing is said.
struct PointArguments {
  pybind11::object points = pybind11::none();
  pybind11::object test_points = pybind11::none();
  pybind11::object tolerances = pybind11::none();
  pybind11::object normalize_by = pybind11::none();
  pybind11::object scales = pybind11::none();  ///< of test images
};

/// Everything about points that needs the GIL.
struct PointInputs {
  AnnotatedImages images{};  ///< the labeled, then the test images, without embeddings
  std::size_t num_labeled = 0;
  PointUnits units{};
  std::vector<ImageUnits> image_units{};
};

/// Nothing without points. Throws `invalid_input` for points that are not in the patches that
/// `labels` and `test_labels` say.
[[nodiscard]] std::optional<PointInputs> point_inputs(
    const PatchImages& images, pybind11::handle labels, const PatchImages& test,
    pybind11::handle test_labels, const std::optional<std::vector<std::string>>& landmarks,
    const PointArguments& arguments);

}  // namespace caos::python
