#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/text/text_scores.hpp"
#include "caos/text/text_model.hpp"
#include "caos/text/text_table.hpp"

namespace caos::cli {

/// How new texts are scored and predicted.
struct TextPredictorOptions {
  ScoringOptions scoring{};
  std::string reverse{};  ///< file of reverse scores, or empty
  TextPredictOptions what{};
};

/// Predicts the texts of a table, scored as the labelled ones were, by the language model or from a
/// file of scores.
class TextPredictor {
 public:
  /// Throws `invalid_input` where the scores would be made in another way. `file` is what errors
  /// call the model. Keep model and table alive.
  TextPredictor(const CommonOptions& common, const TextModel& model, const std::string& file,
                TextPredictorOptions options, const text::TextTable& table);

  [[nodiscard]] std::vector<TextPrediction> predict(std::size_t first, std::size_t count);
  [[nodiscard]] ScoringReport report();
  /// As in effect: like those of the labelled texts.
  [[nodiscard]] const ScoringOptions& scoring() const { return options_.scoring; }

 private:
  void open_session(const CommonOptions& common, const std::string& file);
  void open_files();
  [[nodiscard]] std::vector<TextPrediction> predict_by_model(std::size_t first, std::size_t count);
  [[nodiscard]] TextPrediction predict_from_file(std::size_t t) const;

  const TextModel& model_;
  const text::TextTable& table_;
  TextPredictorOptions options_;
  std::unique_ptr<ScoringSession> session_;
  std::optional<io::ScoreTensorFile> scores_;
  std::optional<io::ScoreTensorFile> reverse_;
};

}  // namespace caos::cli
