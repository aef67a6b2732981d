#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace caos::vision {

/// How a model in ONNX format wants its pixels, and what its tokens are.
/// What is left open is found out from the model itself where that is possible.
struct OnnxConfig {
  std::optional<std::size_t> patch_size{};
  /// Tokens before those of the patches: one for CLS, one per register.
  std::optional<std::size_t> prefix_tokens{};
  /// A pixel value v becomes (v / 255 - mean) / std_dev, per channel, red first.
  std::array<double, 3> mean{0.5, 0.5, 0.5};
  std::array<double, 3> std_dev{0.5, 0.5, 0.5};
  /// The name of the output to use. Empty: last_hidden_state, patch_tokens, or the first that fits.
  std::string output{};

  friend bool operator==(const OnnxConfig&, const OnnxConfig&) = default;
};

/// The settings of a known family: dinov2-small, -base, -large, each also with -reg, and
/// dinov3-small, -base, -large. Throws `invalid_input` for other names, with those that exist.
[[nodiscard]] OnnxConfig onnx_preset(std::string_view name);

/// Reads settings from a JSON object; keys: preset, patch_size, prefix_tokens, mean, std, output.
/// Other keys override what the preset says. Throws `bad_format` with file and key.
[[nodiscard]] OnnxConfig parse_onnx_config(std::string_view json, const std::string& file);

/// Where the settings of a model lie: model.json beside model.onnx.
[[nodiscard]] std::string onnx_config_file(const std::string& model);

}  // namespace caos::vision
