#include "caos/conformal/full.hpp"

#include <algorithm>
#include <cassert>

#include "caos/core/error.hpp"
#include "caos/kernels/tally.hpp"

namespace caos::full {
namespace {

void count(Exceedances& e, Score compared, Score score, std::size_t times) {
  if (compared > score) e.greater += times;
  if (compared == score) e.equal += times;
}

void require_reverse(const TestInput& input) {
  require(input.reverse.rows() == input.pools.rows() && input.reverse.cols() == input.pools.cols(),
          ErrorKind::invalid_input,
          "Full CAOS needs the reverse scores of the input, of the same shape as its scores");
}

}  // namespace

Score score_with(const Calibration& calibration, std::size_t i, Score inserted) {
  if (inserted >= calibration.kth_nearest()[i]) return calibration.scores()[i];
  // Added term by term in ascending order, as the definition does, so that the bits agree.
  const std::span<const Score> kept = calibration.nearest(i).first(calibration.k() - 1);
  const auto place = std::ranges::upper_bound(kept, inserted);
  Score sum = 0.0;
  for (auto term = kept.begin(); term != place; ++term) sum += *term;
  sum += inserted;
  for (auto term = place; term != kept.end(); ++term) sum += *term;
  return sum;
}

Exceedances exceedances(const Calibration& calibration, const TestInput& input, Label y,
                        Score score) {
  const Grouping& grouping = calibration.grouping();
  const std::size_t group = grouping.of_candidate(y, input.group);
  Exceedances result = calibration.group(group).exceedances(score);
  const std::span<const Score> kth = calibration.kth_nearest();
  input.reverse.visit([&](auto reverse) {
    const auto inserted = reverse.row(y);
    const std::size_t n = kth.size();
    assert(inserted.size() == n);
    for (std::size_t i = 0; (i = kernels::find_below(inserted.data(), kth.data(), i, n)) < n; ++i) {
      if (grouping.of_example(i) != group) continue;
      // S~_i <= S_i, so only an example that reached the score can stop reaching it.
      if (calibration.scores()[i] < score) continue;
      count(result, calibration.scores()[i], score, static_cast<std::size_t>(-1));
      count(result, score_with(calibration, i, inserted[i]), score, 1);
    }
  });
  return result;
}

std::vector<std::optional<Exceedances>> exceedances_of_candidates(const Calibration& calibration,
                                                                  const TestInput& input,
                                                                  const Miscoverage& alpha,
                                                                  RankRule rule) {
  require_reverse(input);
  const std::vector<Score> scores = calibration.label_scores(input.pools);
  const auto thresholds = calibration.label_thresholds(scores.size(), input.group, alpha, rule);
  std::vector<std::optional<Exceedances>> result(scores.size());
  for (const Label y : labels_at_most(scores, thresholds)) {
    result[y] = exceedances(calibration, input, y, scores[y]);
  }
  return result;
}

PredictionSet predict_set(const Calibration& calibration, const TestInput& input,
                          const Miscoverage& alpha, RankRule rule) {
  const auto candidates = exceedances_of_candidates(calibration, input, alpha, rule);
  PredictionSet set;
  for (Label y = 0; y < candidates.size(); ++y) {
    const std::size_t n = calibration.peers(y, input.group).size();
    const std::size_t rank = deciding_rank(n, alpha, rule);
    if (candidates[y] && conforms(*candidates[y], n, rank)) set.push_back(y);
  }
  return set;
}

std::vector<std::optional<double>> predict_p(const Calibration& calibration, const TestInput& input,
                                             const Miscoverage& alpha) {
  const auto candidates =
      exceedances_of_candidates(calibration, input, alpha, RankRule::every_label);
  std::vector<std::optional<double>> p_values(candidates.size());
  for (Label y = 0; y < candidates.size(); ++y) {
    const std::size_t n = calibration.peers(y, input.group).size();
    if (candidates[y]) p_values[y] = p_value(*candidates[y], n);
  }
  return p_values;
}

}  // namespace caos::full
