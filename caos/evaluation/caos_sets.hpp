#pragma once

#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/scores.hpp"
#include "caos/test_inputs.hpp"

namespace caos {

/// The CAOS and Full CAOS sets of an input at several alphas at once.
class CaosSets {
 public:
  CaosSets(Calibration calibration, std::vector<Miscoverage> alphas, RankRule rule);

  [[nodiscard]] const Calibration& calibration() const { return calibration_; }
  [[nodiscard]] std::size_t num_alphas() const { return alphas_.size(); }

  /// One set per alpha from the CAOS scores of the labels.
  [[nodiscard]] std::vector<PredictionSet> caos(std::span<const Score> label_scores,
                                                GroupId input_group = 0) const;

  /// The same for Full CAOS. Requires `input.reverse`.
  [[nodiscard]] std::vector<PredictionSet> full(std::span<const Score> label_scores,
                                                const TestInput& input) const;

 private:
  [[nodiscard]] PredictionSet caos_at(const Miscoverage& alpha, std::span<const Score> label_scores,
                                      GroupId input_group) const;

  Calibration calibration_;
  std::vector<Miscoverage> alphas_;
  RankRule rule_;
  Miscoverage smallest_alpha_;
  std::vector<std::vector<std::size_t>> ranks_;  ///< by group, then alpha
};

}  // namespace caos
