#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caos/backbone.hpp"
#include "caos/scorers/patch_score.hpp"

namespace caos {

struct BackboneOptions {
  std::string preset{};  ///< of an ONNX model; empty: model.json beside it, or what it tells itself
  std::string output{};  ///< name of the ONNX model's output; empty: found out
  std::string library{};  ///< path of ONNX Runtime; empty: searched
  std::size_t threads = 0;
};

/// What embeds images where nothing else is asked for. Models keep the name of theirs.
inline constexpr const char* default_backbone = "builtin-2";

/// Opens `builtin-2`, `builtin` or `onnx:FILE`. Throws `invalid_input` for other texts.
[[nodiscard]] std::unique_ptr<vision::Backbone> open_backbone(const std::string& text,
                                                              const BackboneOptions& options = {});

/// The parameters of `margin` and `softmax` that suit a backbone. They were fixed once, on
/// images that belong to no user.
[[nodiscard]] PatchScoreDefaults score_defaults(const std::string& backbone);

/// A score as it was asked for.
struct ChosenScore {
  PatchScore score{};
  bool own_parameter = false;  ///< its parameter is another than the backbone's default
};

/// The score of images where none is asked for. Models keep the name of theirs.
inline constexpr const char* default_score = "geometry";

/// The paper's score: the default for arrays without a grid, and for rotated or aligned images.
inline constexpr const char* paper_score = "cosine";

/// From `parse_patch_score`'s texts, with the defaults of the backbone; empty: the default score.
[[nodiscard]] ChosenScore choose_score(const std::string& text, const std::string& backbone);

/// The side of cells that are labels, from `16` (nothing: the patches are), `8` or `4`; empty: what
/// suits the score. Throws `invalid_input` for other texts, and for cells smaller than a patch with
/// scores that compare patches.
[[nodiscard]] std::optional<std::size_t> choose_cell(std::string_view text,
                                                     const PatchScore& score);

}  // namespace caos
