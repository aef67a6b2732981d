#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/text_model.hpp"

namespace caos {

/// Labeled texts, and which labels there are.
struct LabeledTexts {
  text::LabelSpace labels{};
  bool labels_from_train = false;  ///< they are those that the texts happen to have
  std::vector<text::LabeledText> examples{};
  std::vector<std::string> ids{};           ///< of the examples
  std::vector<std::string> text_columns{};  ///< of the table that the texts are from

  [[nodiscard]] std::vector<Label> example_labels() const;
};

struct TextCalibrateOptions {
  std::size_t k = CalibrationOptions{}.k;
  bool by_label = false;    ///< a guarantee for each label apart
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it
};

/// Calibrates from the scores [n, K, n] of the texts under each other, made as `record` says.
[[nodiscard]] TextModel calibrate_texts(LabeledTexts texts, const ScoreTensor& scores,
                                        TextScoreRecord record,
                                        const TextCalibrateOptions& options = {});

/// The model with one labeled text more, equal bit for bit to calibrating all of them again.
/// `under_others[j]` is the score of its label under example j, `of_others[i]` that of example i's
/// own label under it.
[[nodiscard]] TextModel with_example(const TextModel& model, text::LabeledText example,
                                     std::string id, std::span<const Score> under_others,
                                     std::span<const Score> of_others);

/// The same with the scores of a session, which must be that of the model.
[[nodiscard]] TextModel with_example(const TextModel& model, TextSession& session,
                                     text::LabeledText example, std::string id);

}  // namespace caos
