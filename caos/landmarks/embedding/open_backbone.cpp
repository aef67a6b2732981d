#include "caos/landmarks/embedding/open_backbone.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/vision/backbones/builtin_backbone.hpp"
#include "caos/vision/backbones/onnx_backbone.hpp"

namespace caos {
namespace {

constexpr std::string_view onnx_prefix = "onnx:";
constexpr std::size_t default_cell = 4;

vision::OnnxConfig onnx_config(const std::string& model, const BackboneOptions& options) {
  vision::OnnxConfig config;
  const std::string beside = vision::onnx_config_file(model);
  if (!options.preset.empty()) {
    config = vision::onnx_preset(options.preset);
  } else if (std::filesystem::exists(beside)) {
    config = vision::parse_onnx_config(io::MappedFile::read(beside).text(), beside);
  }
  if (!options.output.empty()) config.output = options.output;
  return config;
}

std::unique_ptr<vision::Backbone> open_onnx(const std::string& model,
                                            const BackboneOptions& options) {
  const io::MappedFile file = io::MappedFile::open(model);
  return vision::open_onnx_backbone({.model = model,
                                     .library = options.library,
                                     .identity = io::checksum({file.bytes()}),
                                     .config = onnx_config(model, options),
                                     .threads = options.threads});
}

}  // namespace

std::unique_ptr<vision::Backbone> open_backbone(const std::string& text,
                                                const BackboneOptions& options) {
  using Version = vision::BuiltinBackbone::Version;
  if (text == "builtin") return std::make_unique<vision::BuiltinBackbone>(Version::one);
  if (text == "builtin-2") return std::make_unique<vision::BuiltinBackbone>(Version::two);
  if (text.starts_with(onnx_prefix)) return open_onnx(text.substr(onnx_prefix.size()), options);
  throw Error(ErrorKind::invalid_input,
              fmt::format("unknown backbone '{}'; give builtin-2, builtin, onnx:FILE or "
                          "embeddings:FILE.npy",
                          text));
}

PatchScoreDefaults score_defaults(const std::string& backbone) {
  // Histograms of gradients vary more from patch to patch than a transformer's tokens do.
  const bool is_builtin = backbone == "builtin-2" || backbone == "builtin";
  if (is_builtin) return {.margin_weight = 3, .temperature = 0.02};
  return {};
}

ChosenScore choose_score(const std::string& text, const std::string& backbone) {
  const PatchScoreDefaults defaults = score_defaults(backbone);
  const std::string asked = text.empty() ? default_score : text;
  const PatchScore score = parse_patch_score(asked, defaults);
  return {score, score != parse_patch_score(asked.substr(0, asked.find(':')), defaults)};
}

std::optional<std::size_t> choose_cell(std::string_view text, const PatchScore& score) {
  if (text.empty()) return score.reads_positions() ? std::optional(default_cell) : std::nullopt;
  if (text == "16") return std::nullopt;
  require(text == "8" || text == "4", ErrorKind::invalid_input,
          [&] { return fmt::format("cell '{}': expected 16 (the patches), 8 or 4", text); });
  require(score.reads_positions(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "cell {}: the score {} compares patches, not cells; choose the score geometry, or cell 16",
        text, patch_score_text(score));
  });
  return text == "8" ? 8 : 4;
}

}  // namespace caos
