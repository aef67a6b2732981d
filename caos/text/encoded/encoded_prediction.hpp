#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/classification.hpp"
#include "caos/text/encoded/embedded_texts.hpp"
#include "caos/text/text_model.hpp"

namespace caos {

/// Calibrates embedded texts: full-kernel needs nothing but their vectors, CAOS takes the votes of
/// single texts as scores. `record` says what embedded them.
[[nodiscard]] TextModel calibrate_embedded(EmbeddedTexts texts, TextScoreRecord record,
                                           const TextCalibrateOptions& options = {});

/// A labeled text, and the cosine of its vector and that of a new text.
struct SimilarText {
  std::size_t example = 0;
  double similarity = 0;
};

/// Predicts new texts by their vectors. The model must have vectors, and outlive it.
class EncodedPredictor {
 public:
  explicit EncodedPredictor(const TextModel& model, std::size_t threads = 0);

  /// With full_kernel, caos or full_caos. Supporting references are the labeled texts whose single
  /// votes speak most for a label. `vectors` are unit rows; another dimension than the model's is
  /// an Error invalid_input.
  [[nodiscard]] std::vector<TextPrediction> predict(MatrixView<const float> vectors,
                                                    const TextPredictOptions& options) const;

  /// The `count` most similar labeled texts, earlier ones first on ties.
  [[nodiscard]] std::vector<SimilarText> most_similar(std::span<const float> vector,
                                                      std::size_t count) const;

 private:
  [[nodiscard]] std::vector<TextPrediction> predict_by_votes(
      MatrixView<const float> vectors, const TextPredictOptions& options) const;

  const TextModel& model_;
  std::vector<Label> labels_;
  VectorClassifier kernel_;
  std::size_t threads_;
};

}  // namespace caos
