#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "bindings/python/objects/embedded_images.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::python {

/// How images are embedded, besides what the embeddings depend on.
struct EmbedArguments {
  std::string cache{};  ///< folder; empty: nothing is kept
  std::string cache_size = "2GB";
  std::string onnxruntime{};  ///< library; empty: searched
  std::size_t threads = 0;
  pybind11::object progress = pybind11::none();
};

/// Embeds images: a folder, a file, or several files or arrays [height, width, 3] of uint8. The
/// record says in which way; its identity is found out.
[[nodiscard]] EmbeddedImages embed(const pybind11::object& images, EmbeddingRecord record,
                                   const EmbedArguments& arguments);

}  // namespace caos::python
