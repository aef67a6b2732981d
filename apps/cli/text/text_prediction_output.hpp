#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/label_sets/set_output.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/encoded/encoded_prediction.hpp"
#include "caos/text/text_model.hpp"

namespace caos::cli {

/// The sets of new texts as rows, one for each text and alpha.
class TextPredictionRows {
 public:
  /// `explains`: every row is given the most similar labeled texts.
  TextPredictionRows(const TextModel& model, const TextPredictOptions& options, RowFormat format,
                     bool explains = false);

  /// What comes before the first row: nothing for JSON Lines.
  [[nodiscard]] std::string header() const;
  /// The rows of one text, each line ended.
  [[nodiscard]] std::string rows(const std::string& id, const TextPrediction& prediction,
                                 const std::vector<SimilarText>& similar = {}) const;

 private:
  [[nodiscard]] Json row_json(const std::string& id, const TextPrediction& prediction,
                              const std::vector<SimilarText>& similar, std::size_t a) const;
  [[nodiscard]] std::string row_csv(const std::string& id, const TextPrediction& prediction,
                                    const std::vector<SimilarText>& similar, std::size_t a) const;
  [[nodiscard]] std::vector<std::string> set_names(const TextPrediction& prediction,
                                                   std::size_t a) const;

  const TextModel& model_;
  const TextPredictOptions& options_;
  RowFormat format_;
  bool explains_;
  std::vector<std::string> guarantees_;  // by alpha
};

/// What is said when all texts are predicted: sums, so that it does not grow with them.
struct TextPredictionSummary {
  TextPredictionSummary(std::string out, const TextModel& model, const TextPredictOptions& options);

  void add(const TextPrediction& prediction);

  std::string file;  ///< `-`: standard output
  std::string method;
  std::size_t num_labels;
  bool labels_from_train;
  std::size_t num_texts = 0;
  std::vector<SetLevel> levels{};
  ScoringReport scoring{};
};

[[nodiscard]] Json to_json(const TextPredictionSummary& summary);
[[nodiscard]] std::string to_text(const TextPredictionSummary& summary);

}  // namespace caos::cli
