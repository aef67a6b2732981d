#pragma once

#include <string>
#include <string_view>

namespace caos {

/// How the similarities of an image's patches with a reference patch become one-shot scores. Each
/// is a fixed function of reference, image and patch, so the theorem holds for each, as long as it
/// was chosen before looking at results.
struct PatchScore {
  enum class Kind {
    cosine,   ///< 1 - similarity (eqn. patch_similarity)
    margin,   ///< that + parameter * what the patch lacks to the image's most similar one
    softmax,  ///< minus the log of a softmax over the image's patches at this temperature
  };

  Kind kind = Kind::cosine;
  double parameter = 0;  ///< weight of the margin, or temperature; nothing to cosine

  /// Whether exchanging reference and candidate leaves the score as it is.
  [[nodiscard]] bool is_symmetric() const { return kind == Kind::cosine; }

  friend bool operator==(const PatchScore&, const PatchScore&) = default;
};

/// The default parameters of `margin` and `softmax`.
struct PatchScoreDefaults {
  double margin_weight = 10;
  double temperature = 0.05;
};

/// From `cosine`, `margin`, `margin:10`, `softmax` or `softmax:0.05`. Throws `invalid_input`.
[[nodiscard]] PatchScore parse_patch_score(std::string_view text,
                                           const PatchScoreDefaults& defaults = {});

/// The same text with the parameter written out.
[[nodiscard]] std::string patch_score_text(const PatchScore& score);

}  // namespace caos
