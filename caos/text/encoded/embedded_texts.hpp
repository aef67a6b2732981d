#pragma once

#include <span>
#include <string>
#include <vector>

#include "caos/classification.hpp"
#include "caos/text/encoded/encoder_session.hpp"
#include "caos/text/text_calibration.hpp"
#include "caos/text/text_evaluation.hpp"

namespace caos {

/// Labeled texts and the names of their labels, with vectors.
struct EmbeddedTexts {
  LabeledTexts texts{};
  Matrix<float> vectors{};        ///< [n, D]
  Matrix<float> label_vectors{};  ///< [K, D]
};

/// What an encoder has to embed: the texts of examples, then the names of labels, as they are.
[[nodiscard]] std::vector<std::string> texts_to_embed(const LabeledTexts& texts);

[[nodiscard]] EmbeddedTexts embed_texts(LabeledTexts texts, EncoderSession& session);

/// Vectors in double, as classification takes them.
[[nodiscard]] Matrix<double> widened(MatrixView<const float> rows);

/// The default methods of encoders.
[[nodiscard]] std::vector<Method> default_encoder_methods(bool grouped);

/// The methods of encoders: full-kernel, and all on score arrays with the votes of single texts.
/// Throws `invalid_input`, listing the names, for another name.
[[nodiscard]] Method parse_encoder_method(std::string_view name);
[[nodiscard]] std::vector<std::string> encoder_method_names();

/// Evaluates methods on one split, as `evaluate_texts` does, from vectors: what `caos classify
/// evaluate` finds for them.
[[nodiscard]] EvaluationReport evaluate_embedded(const EmbeddedTexts& texts, const TextSplit& split,
                                                 const EvaluateOptions& options);

}  // namespace caos
