#include "caos/evaluation/caos_sets.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "caos/full.hpp"

namespace caos {

CaosSets::CaosSets(Calibration calibration, std::vector<Miscoverage> alphas, RankRule rule)
    : calibration_(std::move(calibration)),
      alphas_(std::move(alphas)),
      rule_(rule),
      smallest_alpha_(*std::ranges::min_element(alphas_)) {
  for (std::size_t g = 0; g <= calibration_.grouping().num_groups(); ++g) {
    std::vector<std::size_t>& ranks = ranks_.emplace_back();
    for (const Miscoverage& alpha : alphas_) {
      ranks.push_back(calibration_.group(g).rank(alpha, rule_));
    }
  }
}

PredictionSet CaosSets::caos_at(const Miscoverage& alpha, std::span<const Score> label_scores,
                                GroupId input_group) const {
  return labels_at_most(
      label_scores, calibration_.label_thresholds(label_scores.size(), input_group, alpha, rule_));
}

std::vector<PredictionSet> CaosSets::caos(std::span<const Score> label_scores,
                                          GroupId input_group) const {
  std::vector<PredictionSet> sets;
  for (const Miscoverage& alpha : alphas_) {
    sets.push_back(caos_at(alpha, label_scores, input_group));
  }
  return sets;
}

std::vector<PredictionSet> CaosSets::full(std::span<const Score> label_scores,
                                          const TestInput& input) const {
  std::vector<PredictionSet> sets(alphas_.size());
  std::vector<std::uint8_t> conforming(alphas_.size());
  // What is not in the largest CAOS set is in no Full set.
  for (const Label y : caos_at(smallest_alpha_, label_scores, input.group)) {
    const std::size_t group = calibration_.grouping().of_candidate(y, input.group);
    full::decide(calibration_, input, y, label_scores[y], ranks_[group], conforming);
    for (std::size_t a = 0; a < sets.size(); ++a) {
      if (conforming[a] != 0) sets[a].push_back(y);
    }
  }
  return sets;
}

}  // namespace caos
