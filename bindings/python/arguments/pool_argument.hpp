#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/landmark_model.hpp"

namespace caos::python {

/// The pool of the target `image`, from whose image each of the pool is; nothing for the target
/// `subject`. `subjects` are those of the labeled images.
[[nodiscard]] std::optional<LabeledPool> pool_argument(const std::string& target,
                                                       const pybind11::object& pool,
                                                       const pybind11::object& subjects,
                                                       std::size_t num_images);

/// What the model's pool says of new images, from whose they are; empty without a pool.
[[nodiscard]] std::vector<NewImage> known_images(const LandmarkModel& model,
                                                 const pybind11::object& subjects,
                                                 std::size_t num_images);

}  // namespace caos::python
