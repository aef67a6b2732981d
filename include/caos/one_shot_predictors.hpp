#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/error.hpp"
#include "caos/predict.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A labeled example, alone a one-shot predictor.
template <typename Input>
struct Reference {
  Input x;
  Label y = 0;
};

/// Labeled examples, each a predictor through a score of the caller's own, calibrated together: any
/// model, any type of input.
///
/// The score must be fixed before the labeled data are seen, with nothing in it fitted to labeled
/// or new examples. It must be a function of (reference, x), the same to the last bit at every
/// call: scores of examples and of new inputs are compared exactly. Then, if labeled and new
/// examples are exchangeable, a set contains the true label with probability at least 1 - alpha.
///
/// Owns its examples. Predicting is safe from several threads if the score function is.
template <typename Input>
class OneShotPredictors {
 public:
  /// The scores of the K labels of x, judged by the reference alone; smaller means more conforming,
  /// +infinity rules a label out. Other exceptions than `Error` pass through unchanged.
  using ScoreFunction =
      std::function<std::vector<Score>(const Reference<Input>& reference, const Input& x)>;

  /// Calls `score` for all n (n - 1) pairs of examples, on this thread.
  /// Requires n >= 2 and 1 <= k <= n - 1; throws `invalid_input` otherwise and where `score`
  /// returns another number of scores, and `bad_format` for a label that is not below `num_labels`
  /// and for NaN and other invalid scores (scores.hpp).
  OneShotPredictors(ScoreFunction score, std::vector<Reference<Input>> examples,
                    std::size_t num_labels, const CalibrationOptions& options = {})
      : score_(std::move(score)),
        examples_(std::move(examples)),
        num_labels_(num_labels),
        own_(own_scores_of(options.k)),
        calibration_(calibrate(own_, options)) {}

  [[nodiscard]] std::size_t size() const { return examples_.size(); }
  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }
  [[nodiscard]] const std::vector<Reference<Input>>& examples() const { return examples_; }
  /// For thresholds, feasible alphas and `save_calibration`.
  [[nodiscard]] const Calibration& calibration() const { return calibration_; }
  /// For `evaluate`, groups and joint sets.
  [[nodiscard]] const OwnScores& own_scores() const { return own_; }

  /// The scores of new inputs under every example, [inputs * K, n]: as `ScoreTensor` takes them.
  /// Calls `score` n times for each input.
  [[nodiscard]] Matrix<Score> scores(std::span<const Input> inputs) const {
    Matrix<Score> scores(inputs.size() * num_labels_, size());
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      for (std::size_t j = 0; j < size(); ++j) {
        const std::vector<Score> column = scores_of(examples_[j], inputs[t]);
        for (Label y = 0; y < num_labels_; ++y) scores(t * num_labels_ + y, j) = column[y];
      }
    }
    return scores;
  }

  /// The labels that conform, ascending. Every label where alpha is below 1 / (n + 1).
  [[nodiscard]] PredictionSet predict_set(const Input& x, const Miscoverage& alpha) const {
    return predict(x, {.alphas = {alpha}}).sets[0];
  }

  /// Sets and p-values as `options` say, with caos or full_caos. Full CAOS calls `score` K n times
  /// more. `index` counts inputs and matters to smoothing only.
  [[nodiscard]] Prediction predict(const Input& x, const PredictOptions& options,
                                   std::size_t index = 0) const {
    const Matrix<Score> pools = scores(std::span(&x, 1));
    TestInput input{.pools = pools.view()};
    Matrix<Score> reverse;
    if (options.method == Method::full_caos) {
      reverse = reverse_scores(x);
      input.reverse = reverse.view();
    }
    return caos::predict(calibration_, input, index, options);
  }

 private:
  [[nodiscard]] std::vector<Score> scores_of(const Reference<Input>& reference,
                                             const Input& x) const {
    std::vector<Score> scores = score_(reference, x);
    require(scores.size() == num_labels_, ErrorKind::invalid_input, [&] {
      return "the score function returned " + std::to_string(scores.size()) + " scores for " +
             std::to_string(num_labels_) + " labels";
    });
    return scores;
  }

  /// Checks what it can before the first call of the score.
  [[nodiscard]] OwnScores own_scores_of(std::size_t k) const {
    check_k(k, size());
    for (const Reference<Input>& example : examples_) {
      check_labels(std::span(&example.y, 1), 1, num_labels_, "examples");
    }
    Matrix<Score> own(size(), size());
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) {
        if (i != j) own(i, j) = scores_of(examples_[j], examples_[i].x)[examples_[i].y];
      }
    }
    return OwnScores(own.view(), "scores");
  }

  /// Entry (y, i) is the score of example i's own label under (x, y).
  [[nodiscard]] Matrix<Score> reverse_scores(const Input& x) const {
    Matrix<Score> reverse(num_labels_, size());
    for (Label y = 0; y < num_labels_; ++y) {
      const Reference<Input> candidate{x, y};
      for (std::size_t i = 0; i < size(); ++i) {
        reverse(y, i) = scores_of(candidate, examples_[i].x)[examples_[i].y];
      }
    }
    return reverse;
  }

  ScoreFunction score_;
  std::vector<Reference<Input>> examples_;
  std::size_t num_labels_;
  OwnScores own_;
  Calibration calibration_;
};

}  // namespace caos
