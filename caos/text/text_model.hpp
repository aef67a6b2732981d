#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/safetensors.hpp"
#include "caos/method.hpp"
#include "caos/text/text_session.hpp"

namespace caos {

/// Vectors of labeled texts and of the names of labels, which an encoder gave: unit rows.
struct TextVectors {
  Matrix<float> texts{};   ///< [n, D]
  Matrix<float> labels{};  ///< [K, D]
};

/// Calibrated labeled texts: all that predicting new texts needs, apart from the language model or
/// the encoder.
struct TextModel {
  TextScoreRecord scoring{};
  std::vector<std::string> text_columns{};  ///< of the training table
  text::LabelSpace labels{};
  bool labels_from_train = false;  ///< the label space is what the labeled texts happen to have
  std::vector<text::LabeledText> examples{};
  std::vector<std::string> ids{};        ///< of the examples
  Calibration calibration;               ///< of an encoder: with the votes of single texts
  std::optional<TextVectors> vectors{};  ///< of an encoder
};

/// What is not guaranteed where the labels are those that the labeled texts happen to have.
inline constexpr const char* train_labels_risk =
    "labels are those of the labeled texts: a label that does not occur there is in no set, so "
    "texts that have it are missed on top of alpha";

/// Writes the model, whole or not at all (docs/reference/formats.md).
void write_text_model(const std::string& path, const TextModel& model);

/// Throws `bad_format` for anything but an unaltered model of a version this library knows.
[[nodiscard]] TextModel read_text_model(const std::string& path);
[[nodiscard]] TextModel read_text_model(io::SafetensorsFile file);

struct TextPredictOptions {
  std::vector<Miscoverage> alphas{};  ///< none: no sets, and with Full CAOS every label's p-value
  Method method = Method::caos;       ///< caos or full_caos; with an encoder also full_kernel
  RankRule rule = RankRule::every_label;
};

/// A labeled text whose score a label's score adds.
struct SupportingReference {
  std::size_t example = 0;
  Score score = 0;
};

/// What is predicted for one text.
struct TextPrediction {
  std::vector<PredictionSet> sets{};  ///< one per alpha
  std::vector<std::optional<double>>
      p_values{};   ///< by label; nothing where Full CAOS need not look
  Label point = 0;  ///< the label with the smallest CAOS score
  /// By label: its k smallest scores, ascending.
  std::vector<std::vector<SupportingReference>> supporting_references{};
};

/// A text with a label that it might have.
struct Candidate {
  std::size_t text = 0;  ///< its position
  Label label = 0;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// The scores of own labels of all examples under candidates as references: [candidates, n].
using ReverseTextScorer = std::function<Matrix<Score>(std::span<const Candidate>)>;

/// Predicts from the scores [m x K, n] of new texts. Full CAOS asks `reverse` for the candidates in
/// the CAOS set at the smallest alpha, all texts at once.
[[nodiscard]] std::vector<TextPrediction> predict_texts(const TextModel& model,
                                                        std::span<const std::string> texts,
                                                        MatrixView<const Score> scores,
                                                        const TextPredictOptions& options,
                                                        const ReverseTextScorer& reverse = {});

/// Texts that are scored at a time: bounds memory, and shares the work on references.
inline constexpr std::size_t text_block = 256;

/// Scores new texts, block by block, and predicts them.
[[nodiscard]] std::vector<TextPrediction> predict_texts(const TextModel& model,
                                                        TextSession& session,
                                                        std::span<const std::string> texts,
                                                        const TextPredictOptions& options);

/// What sets of the model guarantee by default, at every alpha: those of full-kernel with an
/// encoder, and else of CAOS.
[[nodiscard]] Guarantee guarantee_of(const TextModel& model);
/// What the sets at an alpha guarantee.
[[nodiscard]] Guarantee guarantee_of(const TextModel& model, const TextPredictOptions& options,
                                     const Miscoverage& alpha);

/// A warning for the user where alpha is infeasible for the model; nothing where it is not.
[[nodiscard]] std::optional<std::string> feasibility_warning(const TextModel& model,
                                                             const TextPredictOptions& options,
                                                             const Miscoverage& alpha);

}  // namespace caos
