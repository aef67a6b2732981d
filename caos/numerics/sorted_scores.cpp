#include "caos/sorted_scores.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "caos/error.hpp"

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

SortedScores::SortedScores(std::vector<Score> scores, const ExampleWeights& weights) {
  if (weights.is_plain()) {
    *this = SortedScores(std::move(scores));
    return;
  }
  require(weights.examples.size() == scores.size(), ErrorKind::invalid_input,
          "there must be one weight per calibration score");
  Indices order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return scores[i]; });
  weight_from_.assign(scores.size() + 1, 0);
  for (std::size_t p = scores.size(); p > 0; --p) {
    weight_from_[p - 1] = weight_from_[p] + weights.examples[order[p - 1]];
  }
  for (const std::size_t i : order) scores_.push_back(scores[i]);
  always_ = weights.new_example - 1;
}

std::size_t SortedScores::rank(const Miscoverage& alpha, RankRule rule) const {
  const std::size_t rank = conformal_rank(units(), alpha);
  return rule == RankRule::clip && size() > 0 ? std::min(rank, own_units()) : rank;
}

bool SortedScores::is_feasible(const Miscoverage& alpha) const {
  return conformal_rank(units(), alpha) <= own_units();
}

double SortedScores::smallest_feasible_alpha() const {
  return static_cast<double>(always_ + 1) / (static_cast<double>(units()) + 1.0);
}

Score SortedScores::threshold(const Miscoverage& alpha, RankRule rule) const {
  const std::size_t deciding = rank(alpha, rule);
  if (deciding > own_units()) return std::numeric_limits<Score>::infinity();
  if (!is_weighted()) return scores_[deciding - 1];
  // Fewer than `deciding` units may lie below: the first score with so many up to itself.
  const auto reaches = [&](std::size_t left) { return own_units() - left >= deciding; };
  const auto found = std::ranges::find_if(weight_from_.begin() + 1, weight_from_.end(), reaches);
  return scores_[static_cast<std::size_t>(found - weight_from_.begin()) - 1];
}

Exceedances SortedScores::exceedances(Score s) const {
  const std::size_t less = prefix_length(scores_, [=](Score other) { return other < s; });
  if (less == size() || scores_[less] != s) {
    return {.greater = units_from(less) + always_, .equal = 0};
  }
  const std::size_t at_most = prefix_length(scores_, [=](Score other) { return other <= s; });
  return {.greater = units_from(at_most) + always_,
          .equal = units_from(less) - units_from(at_most)};
}

void SortedScores::replace(std::vector<Score> removed, std::vector<Score> added) {
  assert(!is_weighted());
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
