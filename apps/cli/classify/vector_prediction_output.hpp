#pragma once

#include <string>
#include <vector>

#include "apps/cli/label_sets/set_output.hpp"
#include "apps/cli/program.hpp"
#include "caos/classification/classification_model.hpp"

namespace caos::cli {

/// The sets of new vectors as rows, one for each vector and alpha.
class VectorPredictionRows {
 public:
  VectorPredictionRows(const ClassificationModel& model, const VectorPredictOptions& options,
                       RowFormat format);

  /// What comes before the first row: nothing for JSON Lines.
  [[nodiscard]] std::string header() const;
  /// The rows of one vector, each line ended.
  [[nodiscard]] std::string rows(const std::string& id, const VectorPrediction& prediction) const;

 private:
  [[nodiscard]] Json row_json(const std::string& id, const VectorPrediction& prediction,
                              std::size_t a) const;
  [[nodiscard]] std::string row_csv(const std::string& id, const VectorPrediction& prediction,
                                    std::size_t a) const;
  [[nodiscard]] std::vector<std::string> set_names(const PredictionSet& set) const;

  const ClassificationModel& model_;
  const VectorPredictOptions& options_;
  RowFormat format_;
  std::vector<std::string> guarantees_;  // by alpha
};

/// What is said when all vectors are predicted.
struct VectorPredictionSummary {
  VectorPredictionSummary(std::string out, const ClassificationModel& model,
                          const VectorPredictOptions& options);

  void add(const VectorPrediction& prediction);

  std::string file;  ///< `-`: standard output
  const ClassificationModel& model;
  bool smoothed;
  std::size_t num_vectors = 0;
  std::vector<SetLevel> levels{};
};

[[nodiscard]] Json to_json(const VectorPredictionSummary& summary);
[[nodiscard]] std::string to_text(const VectorPredictionSummary& summary);

}  // namespace caos::cli
