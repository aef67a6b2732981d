#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "bindings/python/arguments/point_inputs.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/points/point_error.hpp"

namespace caos::python {

/// What `caos.patches.PointErrors` is: how far points are off in test images.
struct MeasuredPoints {
  PointOutcomes outcomes{};
  PointSummary summary{};

  /// [images, landmarks, 2] in pixels. Throws `invalid_input` for an unknown source.
  [[nodiscard]] pybind11::array_t<double> points(const std::string& source) const;
  /// [images, landmarks] in pixels; NaN where a landmark is absent.
  [[nodiscard]] pybind11::array_t<double> errors(const std::string& source) const;
  /// One row for each source and unit, or also for each landmark.
  [[nodiscard]] pybind11::list dicts(bool by_landmark) const;
};

/// Measures the points of the landmarks that are evaluated. Needs no GIL, and fills in the
/// embeddings of `points`.
[[nodiscard]] MeasuredPoints measure(PointInputs& points, const LabeledPatches& labeled,
                                     const TestPatches& tested,
                                     const LandmarkEvaluateOptions& options);

}  // namespace caos::python
