#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/objects/patch_images.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"

namespace caos::python {

/// How the images were embedded. Throws `invalid_input` for plain arrays.
[[nodiscard]] const EmbeddedImages& embedded_of(const PatchImages& images);

/// Images with points [images, landmarks, 2] in pixels, NaN where a landmark is absent; without
/// their embeddings. `name` is what errors call the points.
[[nodiscard]] AnnotatedImages annotated_of(const PatchImages& images,
                                           const pybind11::object& points,
                                           const std::optional<std::vector<std::string>>& landmarks,
                                           const std::string& name);

}  // namespace caos::python
