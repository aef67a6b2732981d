#include "caos/numerics/sorted_scores.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace caos {

SortedScores::SortedScores(std::vector<Score> scores) : scores_(std::move(scores)) {
  std::ranges::sort(scores_);
}

Score SortedScores::threshold(const Miscoverage& alpha, RankRule rule) const {
  const std::size_t rank = deciding_rank(size(), alpha, rule);
  return rank <= size() ? scores_[rank - 1] : std::numeric_limits<Score>::infinity();
}

Exceedances SortedScores::exceedances(Score s) const {
  const auto ties = std::ranges::equal_range(scores_, s);
  return {.greater = static_cast<std::size_t>(scores_.end() - ties.end()), .equal = ties.size()};
}

void SortedScores::replace(std::vector<Score> removed, std::vector<Score> added) {
  std::ranges::sort(removed);
  std::ranges::sort(added);
  std::vector<Score> kept;
  kept.reserve(scores_.size());
  std::ranges::set_difference(scores_, removed, std::back_inserter(kept));
  assert(kept.size() + removed.size() == scores_.size());
  scores_.resize(kept.size() + added.size());
  std::ranges::merge(kept, added, scores_.begin());
}

}  // namespace caos
