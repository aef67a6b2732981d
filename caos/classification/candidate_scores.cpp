#include "caos/classification/candidate_scores.hpp"

#include <algorithm>
#include <cassert>

namespace caos::classification {
namespace {

/// The distinct scores of candidates, ascending, and how labeled examples lie among them.
class Ladder {
 public:
  explicit Ladder(std::span<const Score> candidates)
      : steps_(candidates.begin(), candidates.end()) {
    std::ranges::sort(steps_);
    steps_.erase(std::ranges::unique(steps_).begin(), steps_.end());
    at_.resize(steps_.size() + 1);
    equal_.resize(steps_.size() + 1);
  }

  void add(Score score) {
    const std::size_t step = position(score);
    ++at_[step];
    if (step < steps_.size() && steps_[step] == score) ++equal_[step];
  }

  /// After the last `add`: from how many lie at a step to how many lie above it.
  void sum_up() {
    std::size_t above = 0;
    for (std::size_t step = at_.size(); step-- > 0;) {
      const std::size_t here = at_[step];
      at_[step] = above;
      above += here;
    }
  }

  [[nodiscard]] Exceedances operator()(Score candidate) const {
    const std::size_t step = position(candidate);
    return {.greater = at_[step], .equal = equal_[step]};
  }

 private:
  /// The first step that is not below the score; halving without branches that cannot be foreseen.
  [[nodiscard]] std::size_t position(Score score) const {
    const Score* first = steps_.data();
    std::size_t left = steps_.size();
    while (left > 1) {
      const std::size_t half = left / 2;
      first += first[half - 1] < score ? half : 0;
      left -= half;
    }
    return static_cast<std::size_t>(first - steps_.data()) +
           (left == 1 && *first < score ? 1U : 0U);
  }

  std::vector<Score> steps_;
  std::vector<std::size_t> at_;     ///< scores in (steps[s - 1], steps[s]]; later those above
  std::vector<std::size_t> equal_;  ///< scores that equal steps[s]
};

void add(Exceedances& e, Score score, Score candidate) {
  e.greater += score > candidate ? 1U : 0U;
  e.equal += score == candidate ? 1U : 0U;
}

void subtract(Exceedances& e, Score score, Score candidate) {
  e.greater -= score > candidate ? 1U : 0U;
  e.equal -= score == candidate ? 1U : 0U;
}

/// Every candidate is compared with the examples of one group, all of which the ladder holds as if
/// it had another label than they; for those that share its label that is put right.
void count_in_group(const CandidateScores& scores, std::span<const Label> labels,
                    const Grouping& grouping, std::size_t group, CandidateCounts& counts) {
  Ladder ladder(scores.candidates);
  std::size_t peers = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (grouping.of_example(i) != group) continue;
    ladder.add(scores.with_other[i]);
    ++peers;
  }
  ladder.sum_up();
  for (Label y = 0; y < scores.candidates.size(); ++y) {
    counts.exceedances[y] = ladder(scores.candidates[y]);
    counts.peers[y] = peers;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (grouping.of_example(i) != group) continue;
    Exceedances& e = counts.exceedances[labels[i]];
    subtract(e, scores.with_other[i], scores.candidates[labels[i]]);
    add(e, scores.with_same[i], scores.candidates[labels[i]]);
  }
}

/// A candidate is compared with the examples of its own label alone.
void count_by_label(const CandidateScores& scores, std::span<const Label> labels,
                    CandidateCounts& counts) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Label y = labels[i];
    add(counts.exceedances[y], scores.with_same[i], scores.candidates[y]);
    ++counts.peers[y];
  }
}

}  // namespace

std::vector<double> CandidateCounts::p_values() const {
  std::vector<double> result(exceedances.size());
  for (Label y = 0; y < result.size(); ++y) result[y] = p_value(exceedances[y], peers[y]);
  return result;
}

PredictionSet CandidateCounts::predict_set(const Miscoverage& alpha, RankRule rule) const {
  PredictionSet set;
  for (Label y = 0; y < exceedances.size(); ++y) {
    if (conforms(exceedances[y], peers[y], deciding_rank(peers[y], alpha, rule))) set.push_back(y);
  }
  return set;
}

CandidateCounts count(const CandidateScores& scores, std::span<const Label> labels,
                      const Grouping& grouping, GroupId input_group) {
  assert(scores.with_same.size() == labels.size() && scores.with_other.size() == labels.size());
  assert(grouping.num_examples() == labels.size());
  CandidateCounts counts{.exceedances = std::vector<Exceedances>(scores.candidates.size()),
                         .peers = std::vector<std::size_t>(scores.candidates.size())};
  if (grouping.kind() == Grouping::Kind::by_label) {
    count_by_label(scores, labels, counts);
  } else {
    count_in_group(scores, labels, grouping, grouping.of_candidate(0, input_group), counts);
  }
  return counts;
}

}  // namespace caos::classification
