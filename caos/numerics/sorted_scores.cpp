#include "caos/numerics/sorted_scores.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace caos {
namespace {

/// How many leading scores satisfy `before`, which holds for a prefix of the ascending scores.
/// Takes no branch on what it finds: p-values ask at random places, where predictions fail half the
/// time and cost more than the search.
template <typename Before>
std::size_t prefix_length(std::span<const Score> scores, Before before) {
  if (scores.empty()) return 0;
  const Score* base = scores.data();
  for (std::size_t length = scores.size(); length > 1;) {
    const std::size_t half = length / 2;
    base += half * static_cast<std::size_t>(before(base[half - 1]));  // GCC branches on ?:
    length -= half;
  }
  base += before(*base) ? 1 : 0;
  return static_cast<std::size_t>(base - scores.data());
}

}  // namespace

SortedScores::SortedScores(std::vector<Score> scores) : scores_(std::move(scores)) {
  std::ranges::sort(scores_);
}

Score SortedScores::threshold(const Miscoverage& alpha, RankRule rule) const {
  const std::size_t rank = deciding_rank(size(), alpha, rule);
  return rank <= size() ? scores_[rank - 1] : std::numeric_limits<Score>::infinity();
}

Exceedances SortedScores::exceedances(Score s) const {
  const std::size_t less = prefix_length(scores_, [=](Score other) { return other < s; });
  if (less == size() || scores_[less] != s) return {.greater = size() - less, .equal = 0};
  const std::size_t at_most = prefix_length(scores_, [=](Score other) { return other <= s; });
  return {.greater = size() - at_most, .equal = at_most - less};
}

void SortedScores::replace(std::vector<Score> removed, std::vector<Score> added) {
  std::ranges::sort(removed);
  std::ranges::sort(added);
  std::vector<Score> result;
  result.reserve(scores_.size() + added.size());
  auto rest = scores_.cbegin();
  auto out = removed.cbegin();
  auto in = added.cbegin();
  // Between two changes whole stretches are copied.
  while (out != removed.cend() || in != added.cend()) {
    const bool insert = out == removed.cend() || (in != added.cend() && *in <= *out);
    const auto place = std::lower_bound(rest, scores_.cend(), insert ? *in : *out);
    result.insert(result.end(), rest, place);
    rest = place;
    if (insert) {
      result.push_back(*in++);
    } else {
      assert(rest != scores_.cend() && *rest == *out);
      ++rest;
      ++out;
    }
  }
  result.insert(result.end(), rest, scores_.cend());
  scores_ = std::move(result);
}

}  // namespace caos
