#pragma once

#include <string>
#include <string_view>

namespace caos {

/// How the similarities of an image's patches with a reference patch become one-shot scores. Each
/// is a fixed function of reference, image and patch, so the theorem holds for each, as long as it
/// was chosen before looking at results.
struct PatchScore {
  enum class Kind {
    cosine,    ///< 1 - similarity (eqn. patch_similarity)
    margin,    ///< that + parameter * what the patch lacks to the image's most similar one
    softmax,   ///< minus the log of a softmax over the image's patches at this temperature
    geometry,  ///< distance from where the reference's landmark is estimated to lie, plus cosine
  };

  Kind kind = Kind::cosine;
  double parameter = 0;  ///< weight of the margin, or temperature; nothing to the others

  /// Whether exchanging reference and candidate leaves the score as it is.
  [[nodiscard]] bool is_symmetric() const { return kind == Kind::cosine; }

  /// Whether it depends on the exact position of the reference's landmark and on how patches lie,
  /// not on embeddings alone. Full CAOS is not available then.
  [[nodiscard]] bool reads_positions() const { return kind == Kind::geometry; }

  friend bool operator==(const PatchScore&, const PatchScore&) = default;
};

/// The default parameters of `margin` and `softmax`.
struct PatchScoreDefaults {
  double margin_weight = 10;
  double temperature = 0.05;
};

/// From `cosine`, `margin`, `margin:10`, `softmax`, `softmax:0.05` or `geometry`. Throws
/// `invalid_input`.
[[nodiscard]] PatchScore parse_patch_score(std::string_view text,
                                           const PatchScoreDefaults& defaults = {});

/// The same text with the parameter written out.
[[nodiscard]] std::string patch_score_text(const PatchScore& score);

}  // namespace caos
