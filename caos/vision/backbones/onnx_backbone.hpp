#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "caos/backbone.hpp"
#include "caos/vision/backbones/onnx_config.hpp"

namespace caos::vision {

struct OnnxOptions {
  std::string model{};    ///< path of the model; data outside it are found beside it
  std::string library{};  ///< path of ONNX Runtime; empty: the system's loader searches
  /// What tells this model from others: a checksum of the file, say. Part of the identity.
  std::string identity{};
  OnnxConfig config{};
  std::size_t threads = 0;     ///< 0: one per core
  std::size_t batch_size = 4;  ///< images per run, if the model takes more than one
};

/// A vision transformer in ONNX format: one float32 input [N, 3, height, width], and an output
/// [N, tokens, dimension] that ends in one token per patch, row by row.
///
/// Images are padded with black on the right and below: to the size of the model where that is
/// fixed, else to whole patches. Patches that lie outside the image are dropped with the prefix
/// tokens, so that the grid is that of the image. The model runs once on black when it is opened,
/// which settles what `config` leaves open and shows whether the rest is right.
///
/// Throws `not_found`, `bad_format`, `invalid_input` or `backend` with the model's name, also where
/// ONNX Runtime is not there.
[[nodiscard]] std::unique_ptr<Backbone> open_onnx_backbone(const OnnxOptions& options);

}  // namespace caos::vision
