#include "caos/full.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "caos/error.hpp"
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

std::size_t count_changed(const Calibration& calibration, const ScoreRows& reverse, Label y) {
  const std::span<const Score> kth = calibration.kth_nearest();
  return reverse.visit(
      [&](auto view) { return kernels::count_below(view.row(y).data(), kth.data(), kth.size()); });
}

void require_reverse(const Calibration& calibration, const TestInput& input) {
  require(input.reverse.rows() == input.pools.rows() && input.reverse.cols() == calibration.size(),
          ErrorKind::invalid_input,
          "Full CAOS needs the reverse scores of the input, labels x labeled examples");
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
    const std::size_t weight = calibration.weights().of(i);
    result.greater = result.greater - (before > score ? weight : 0) + (after > score ? weight : 0);
    result.equal = result.equal - (before == score ? weight : 0) + (after == score ? weight : 0);
  });
  return result;
}

void decide(const Calibration& calibration, const TestInput& input, Label y, Score score,
            std::span<const std::size_t> ranks, std::span<std::uint8_t> conforming) {
  const SortedScores& peers = calibration.peers(y, input.group);
  const std::size_t n = peers.units();
  const Exceedances plain = peers.exceedances(score);
  // Each changed example may stop reaching the score, and no other. Weighted ones are not counted
  // without a look: all may stop.
  const std::size_t may_stop =
      peers.is_weighted() ? plain.at_least() : count_changed(calibration, input.reverse, y);
  const std::size_t reaching_still = plain.at_least() - std::min(plain.at_least(), may_stop);
  std::optional<Exceedances> exact;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    bool conforms_now = conforms(plain, n, ranks[r]);
    if (conforms_now && !conforms({.greater = reaching_still}, n, ranks[r])) {
      if (!exact) exact = exceedances(calibration, input, y, score);
      conforms_now = conforms(*exact, n, ranks[r]);
    }
    conforming[r] = conforms_now ? 1 : 0;
  }
}

std::vector<Exceedances> exceedances(const Calibration& calibration, const TestInput& input) {
  require_reverse(calibration, input);
  const std::vector<Score> scores = calibration.label_scores(input.pools);
  std::vector<Exceedances> result(scores.size());
  for (Label y = 0; y < scores.size(); ++y) {
    result[y] = exceedances(calibration, input, y, scores[y]);
  }
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
  require_reverse(calibration, input);
  const std::vector<Score> scores = calibration.label_scores(input.pools);
  const auto thresholds = calibration.label_thresholds(scores.size(), input.group, alpha, rule);
  PredictionSet set;
  for (const Label y : labels_at_most(scores, thresholds)) {
    const std::size_t rank = calibration.peers(y, input.group).rank(alpha, rule);
    std::uint8_t conforming = 0;
    decide(calibration, input, y, scores[y], {&rank, 1}, {&conforming, 1});
    if (conforming != 0) set.push_back(y);
  }
  return set;
}

std::vector<std::optional<double>> predict_p(const Calibration& calibration, const TestInput& input,
                                             const Miscoverage& alpha) {
  const auto candidates =
      exceedances_of_candidates(calibration, input, alpha, RankRule::every_label);
  std::vector<std::optional<double>> p_values(candidates.size());
  for (Label y = 0; y < candidates.size(); ++y) {
    const std::size_t n = calibration.peers(y, input.group).units();
    if (candidates[y]) p_values[y] = p_value(*candidates[y], n);
  }
  return p_values;
}

}  // namespace caos::full
