#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "bindings/python/objects/point_errors.hpp"
#include "caos/landmarks/evaluation/landmark_summary.hpp"

namespace caos::python {

/// What `caos.patches.LandmarkEvaluation` is.
struct PatchEvaluation {
  LandmarkReport report{};
  std::vector<std::size_t> num_patches{};  ///< by test image
  std::optional<MeasuredPoints> points{};  ///< where positions were given

  /// The kept sets, [alphas, images, landmarks, patches]; None where none were kept. Throws
  /// `invalid_input` where images differ in size.
  [[nodiscard]] pybind11::object sets() const;
  /// The same as bits, [alphas, images, landmarks, bytes].
  [[nodiscard]] pybind11::object packed_sets() const;

  /// One row for each method and alpha, or also for each landmark.
  [[nodiscard]] pybind11::list dicts(bool by_landmark) const;

 private:
  [[nodiscard]] std::size_t common_size() const;
};

/// A figure of each landmark; NaN where no test image has it.
[[nodiscard]] pybind11::array_t<double> by_landmark(const LandmarkMethodResult& result,
                                                    double Evaluation::*figure);

[[nodiscard]] pybind11::dict dict_of(const LandmarkMethodResult& result);
[[nodiscard]] pybind11::dict dict_of(const SimultaneousResult& result);

}  // namespace caos::python
