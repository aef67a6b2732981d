#include "caos/conformal/full.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "caos/core/error.hpp"
#include "caos/kernels/compare.hpp"

namespace caos::full {
namespace {

/// Calls `visit(i, inserted)` for each example whose score changes when (x, y) joins: those that it
/// gives less than a_i(k).
template <typename Visit>
void for_each_changed(const Calibration& calibration, const ScoreRows& reverse, Label y,
                      Visit visit) {
  constexpr std::size_t block = 256;  // positions fit on the stack
  std::array<std::uint32_t, block> changed;
  const std::span<const Score> kth = calibration.kth_nearest();
  reverse.visit([&](auto view) {
    const auto inserted = view.row(y);
    assert(inserted.size() == kth.size());
    for (std::size_t start = 0; start < kth.size(); start += block) {
      const std::size_t size = std::min(block, kth.size() - start);
      const std::size_t count =
          kernels::collect_below(inserted.data() + start, kth.data() + start, size, changed.data());
      for (const std::uint32_t i : std::span(changed).first(count)) {
        visit(start + i, static_cast<Score>(inserted[start + i]));
      }
    }
  });
}

void require_reverse(const Calibration& calibration, const TestInput& input) {
  require(input.reverse.rows() == input.pools.rows() && input.reverse.cols() == calibration.size(),
          ErrorKind::invalid_input,
          "Full CAOS needs the reverse scores of the input, labels x labelled examples");
}

}  // namespace

Score score_with(const Calibration& calibration, std::size_t i, Score inserted) {
  if (inserted >= calibration.kth_nearest()[i]) return calibration.scores()[i];
  // Added term by term in ascending order, as the definition does, so that the bits agree: of the
  // next term and the inserted score the smaller is added, the larger carried on.
  Score sum = 0.0;
  Score carried = inserted;
  for (const Score term : calibration.nearest(i).first(calibration.k() - 1)) {
    sum += std::min(term, carried);
    carried = std::max(term, carried);
  }
  return sum + carried;
}

Exceedances exceedances(const Calibration& calibration, const TestInput& input, Label y,
                        Score score) {
  const Grouping& grouping = calibration.grouping();
  const std::size_t group = grouping.of_candidate(y, input.group);
  Exceedances result = calibration.group(group).exceedances(score);
  for_each_changed(calibration, input.reverse, y, [&](std::size_t i, Score inserted) {
    // S~_i <= S_i, so only an example that reached the score can stop reaching it.
    const Score before = calibration.scores()[i];
    if (grouping.of_example(i) != group || before < score) return;
    const Score after = score_with(calibration, i, inserted);
    result.greater = result.greater - (before > score ? 1 : 0) + (after > score ? 1 : 0);
    result.equal = result.equal - (before == score ? 1 : 0) + (after == score ? 1 : 0);
  });
  return result;
}

std::vector<std::optional<Exceedances>> exceedances_of_candidates(const Calibration& calibration,
                                                                  const TestInput& input,
                                                                  const Miscoverage& alpha,
                                                                  RankRule rule) {
  require_reverse(calibration, input);
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
