#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "caos/onnx/onnx_runtime.hpp"
#include "caos/vision/backbones/onnx_config.hpp"

// How a model is to be called. For the ONNX backbone; not for users of the library.
namespace caos::vision {

/// The input [N, 3, height, width] of a model: what is fixed and what is free.
struct OnnxInput {
  bool takes_batches = false;
  std::optional<std::size_t> width{};
  std::optional<std::size_t> height{};
};

/// Throws `bad_format` if the model takes anything but one float tensor [N, 3, height, width].
[[nodiscard]] OnnxInput image_input(const std::vector<OnnxTensor>& inputs,
                                    const std::string& model);

/// The name of the output that holds the tokens, `wanted` if that is not empty.
/// Throws `invalid_input` with the names of all outputs if none fits.
[[nodiscard]] std::string token_output(const std::vector<OnnxTensor>& outputs,
                                       const std::string& wanted, const std::string& model);

/// What a patch is to the model, and how many tokens it puts before those of the patches.
struct TokenLayout {
  std::size_t patch_size = 0;
  std::size_t prefix_tokens = 0;
};

/// The layout that gives `tokens` tokens for an image of this size, with as few prefix tokens as
/// possible and what `config` says; nothing if there is none with at most 16.
[[nodiscard]] std::optional<TokenLayout> layout_of(std::size_t width, std::size_t height,
                                                   std::size_t tokens, const OnnxConfig& config);

}  // namespace caos::vision
