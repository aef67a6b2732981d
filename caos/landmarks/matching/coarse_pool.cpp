#include "caos/landmarks/matching/coarse_pool.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace caos {

using kernels::coarse_group;

std::int32_t coarse_limit(std::size_t k, Score threshold, Score unit) {
  // With scores of 1 - similarity a sum of at most the threshold is k - similarities at most.
  const double limit = (static_cast<double>(k) - threshold / unit) * kernels::coarse_one;
  return static_cast<std::int32_t>(
      std::lround(std::clamp<double>(limit, kernels::limit_of_all, kernels::limit_of_none)));
}

CoarsePool::CoarsePool(std::vector<std::uint32_t> columns, std::vector<Limit> limits, Score unit)
    : columns_(std::move(columns)), limits_(std::move(limits)) {
  assert(std::ranges::is_sorted(limits_, {}, &Limit::k));
  for (const Limit& limit : limits_) {
    rules_.push_back(
        {static_cast<std::uint32_t>(limit.k), coarse_limit(limit.k, limit.threshold, unit)});
  }
}

double CoarsePool::least_similarity() const {
  double least = 1;
  for (const Limit& limit : limits_) {
    const auto k = static_cast<double>(limit.k);
    least = std::min(least, (k - limit.threshold) / k);
  }
  return least;
}

/// Leaves the largest similarities and the verdicts.
void CoarsePool::compare(const CoarseGroup& group, CoarseScratch& scratch) const {
  scratch.largest.reserve(kernels::room_for_largest(limits_.back().k));
  scratch.verdicts.resize(rules_.size());
  kernels::decide_sums(group.similarities, columns_, group.errors, rules_, scratch.largest.data(),
                       scratch.verdicts.data());
}

std::uint32_t CoarsePool::not_missed(const CoarseGroup& group, CoarseScratch& scratch) const {
  compare(group, scratch);
  std::uint32_t word = 0;
  for (const kernels::CoarseVerdict& verdict : scratch.verdicts) {
    word |= verdict.reached | verdict.open;
  }
  return word & group.present;
}

void CoarsePool::decide(const CoarseGroup& group, CoarseScratch& scratch,
                        std::span<std::uint32_t> words) const {
  compare(group, scratch);
  std::uint32_t open = 0;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    words[r] = scratch.verdicts[r].reached & group.present;
    open |= scratch.verdicts[r].open;
  }
  for (open &= group.present; open != 0; open &= open - 1) {
    settle(group, scratch, static_cast<std::size_t>(std::countr_zero(open)), words);
  }
}

/// Computes what is open about query q.
void CoarsePool::settle(const CoarseGroup& group, CoarseScratch& scratch, std::size_t q,
                        std::span<std::uint32_t> words) const {
  const std::uint32_t bit = std::uint32_t{1} << q;
  std::size_t last = rules_.size();
  while ((scratch.verdicts[last - 1].open & bit) == 0) --last;
  if (const auto sums = scratch.exact.bounds(query(group, scratch, q, limits_[last - 1].k))) {
    for (std::size_t r = 0; r < last; ++r) {
      if ((scratch.verdicts[r].open & bit) == 0) continue;
      const auto [k, threshold] = limits_[r];
      const bool reached = sums->high[k - 1] <= threshold;
      if (!reached && sums->low[k - 1] <= threshold) continue;
      if (reached) words[r] |= bit;
      scratch.verdicts[r].open &= ~bit;
    }
    while (last > 0 && (scratch.verdicts[last - 1].open & bit) == 0) --last;
    if (last == 0) return;
  }
  const std::size_t k = limits_[last - 1].k;
  const auto nearest = scratch.exact.nearest(query(group, scratch, q, k), k);
  for (std::size_t r = 0; r < last; ++r) {
    if ((scratch.verdicts[r].open & bit) == 0) continue;
    if (sum_of_nearest(nearest, limits_[r].k) <= limits_[r].threshold) words[r] |= bit;
  }
}

ExactNearest::Query CoarsePool::query(const CoarseGroup& group, const CoarseScratch& scratch,
                                      std::size_t q, std::size_t k) const {
  return {.row = group.rows[q],
          .similarities = group.similarities + q,
          .columns = columns_,
          .kth = scratch.largest.data()[(k - 1) * coarse_group + q],
          .error = group.errors[q]};
}

}  // namespace caos
