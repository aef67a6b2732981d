#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/scorers/patch_score.hpp"
#include "caos/scores.hpp"

namespace caos {

/// One-shot landmark transfer by patch similarity (eqn. patch_similarity): scores the patches of an
/// image under many reference patches at once. Immutable; safe to share between threads.
class PatchScorer {
 public:
  /// `references` is [R, D], unit rows. With `rotated`, the same references in images that are
  /// rotated, the score under a reference is the smallest of those under it at all angles.
  PatchScorer(Matrix<float> references, PatchScore score, std::vector<Matrix<float>> rotated = {});

  [[nodiscard]] const PatchScore& score() const { return score_; }
  [[nodiscard]] MatrixView<const float> references() const { return references_.view(); }
  [[nodiscard]] std::size_t size() const { return references_.rows(); }
  [[nodiscard]] std::size_t dimension() const { return references_.cols(); }

  /// The score of every patch of an image, unit rows [K, D], under every reference: [K, R].
  [[nodiscard]] Matrix<Score> scores(MatrixView<const float> image) const;

  /// The same for some patches of the image only, in the order given: [patches, R]. They still
  /// compete with all others.
  [[nodiscard]] Matrix<Score> scores(MatrixView<const float> image,
                                     std::span<const Label> patches) const;

  /// At which angle a patch has its score under a reference: 0 upright, then those of `rotated`; of
  /// equal scores the earliest.
  [[nodiscard]] std::size_t rotation(MatrixView<const float> image, Label patch,
                                     std::size_t reference) const;

 private:
  /// Those of the upright references alone.
  [[nodiscard]] Matrix<Score> upright_scores(MatrixView<const float> image) const;
  [[nodiscard]] Matrix<Score> upright_scores(MatrixView<const float> image,
                                             std::span<const Label> patches) const;

  /// The scores under `count` references from `first` on, into rows that are `stride` apart.
  void score_block(MatrixView<const float> image, std::size_t first, std::size_t count, Score* out,
                   std::size_t stride) const;

  Matrix<float> references_;
  PatchScore score_;
  std::vector<PatchScorer> rotated_;  ///< by angle
};

}  // namespace caos
