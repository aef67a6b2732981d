#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"
#include "caos/split.hpp"

namespace caos {

/// Labeled examples and some inputs to predict, as scores; owns them, so that it can be changed
/// and asked again.
struct ScoreProblem {
  Matrix<Score> labeled{};  ///< [n x K, n]: every label of every labeled example
  Matrix<Score> test{};     ///< [m x K, n]
  Matrix<Score> reverse{};  ///< [m x K, n]; no rows: no Full CAOS
  std::size_t num_labels = 0;
  std::vector<Label> labels{};
  std::vector<Label> truths{};  ///< of the inputs
  split::Partition partition{};
  std::vector<Method> methods{};
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::size_t threads = 0;

  [[nodiscard]] std::size_t n() const { return labels.size(); }
  [[nodiscard]] std::size_t num_test() const { return truths.size(); }
  [[nodiscard]] bool has_reverse() const { return reverse.rows() > 0; }
  /// The row of label y of input t, or of a labeled example.
  [[nodiscard]] std::size_t row(std::size_t t, Label y) const { return t * num_labels + y; }
};

/// Everything that the program says about a problem.
struct ScoreAnswers {
  std::vector<Score> calibration_scores{};              ///< by labeled example
  std::vector<Score> thresholds{};                      ///< by alpha
  Matrix<Score> label_scores{};                         ///< [m, K]
  Matrix<double> p_values{};                            ///< [m, K]
  std::vector<std::vector<PredictionSet>> sets{};       ///< by alpha, then input
  Matrix<double> full_p_values{};                       ///< [m, K]; of every label
  std::vector<std::vector<PredictionSet>> full_sets{};  ///< by alpha, then input
  std::vector<std::vector<Outcome>> outcomes{};         ///< by method, then alpha; then by input
};

/// What answers: the program, or its stand-in in a test.
using ScoreAnswerer = std::function<ScoreAnswers(const ScoreProblem&)>;

/// The program's answers, by the ways that predict and evaluate.
[[nodiscard]] ScoreAnswers answer_scores(const ScoreProblem& problem);

}  // namespace caos
