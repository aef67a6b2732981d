#include "caos/landmarks/matching/coarse_full.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "caos/full.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

/// More than all roundings of sums of k scores can make: each of k additions rounds a sum of at
/// most 2 k by a share of 2^-53.
double rounding(std::size_t k) {
  const auto terms = static_cast<double>(k);
  return 1e-9 + 1e-15 * terms * terms;
}

constexpr double unit = 1.0 / kernels::coarse_one;

/// For each rank, the value at that place: less than `rank` units lie below it.
std::vector<double> values_at(const std::vector<double>& values, const ExampleWeights& weights,
                              std::span<const std::size_t> ranks) {
  Indices order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<std::size_t> up_to;  // units, by place
  std::size_t sum = 0;
  for (const std::size_t i : order) up_to.push_back(sum += weights.of(i));
  std::vector<double> result;
  for (const std::size_t rank : ranks) {
    const auto place = std::ranges::lower_bound(up_to, rank) - up_to.begin();
    result.push_back(rank <= sum ? values[order[static_cast<std::size_t>(place)]]
                                 : std::numeric_limits<double>::infinity());
  }
  return result;
}

/// The score that the j-th largest similarity of query q gives.
double score_at(const CoarseScratch& scratch, std::size_t j, std::size_t q) {
  return 1 - unit * scratch.largest.data()[j * coarse_group + q];
}

}  // namespace

CoarseFull::CoarseFull(const Calibration& calibration, std::vector<std::uint32_t> columns,
                       std::vector<std::size_t> ranks)
    : calibration_(calibration), columns_(std::move(columns)), ranks_(std::move(ranks)) {
  for (std::size_t i = 0; i < calibration.size(); ++i) {
    double sum = 0;
    for (const Score term : calibration.nearest(i).first(calibration.k() - 1)) sum += term;
    partial_.push_back(sum);
  }
  enough_ = values_at(partial_, calibration.weights(), ranks_);
}

void CoarseFull::decide(const CoarsePool& pool, const CoarseGroup& group, CoarseScratch& scratch,
                        std::size_t q, std::span<std::uint8_t> conforming) const {
  const double others = most_of_others(group, scratch, q);
  const auto is_open = [&](std::size_t a) { return conforming[a] != 0 && enough_[a] < others; };
  bool open = false;
  for (std::size_t a = 0; a < ranks_.size(); ++a) open = open || is_open(a);
  if (!open) return;
  const Count count = count_below(group, scratch, q);
  open = false;
  for (std::size_t a = 0; a < ranks_.size(); ++a) {
    if (!is_open(a) || count.most < ranks_[a]) continue;
    if (count.least >= ranks_[a]) {
      conforming[a] = 0;
    } else {
      open = true;
    }
  }
  if (open) decide_exactly(pool, group, scratch, q, conforming);
}

/// At most what all but the smallest of the query's k scores add up to.
double CoarseFull::most_of_others(const CoarseGroup& group, const CoarseScratch& scratch,
                                  std::size_t q) const {
  double others = rounding(calibration_.k());
  for (std::size_t j = 1; j < calibration_.k(); ++j) {
    others += score_at(scratch, j, q) + unit * group.errors[q];
  }
  return others;
}

CoarseFull::Count CoarseFull::count_below(const CoarseGroup& group, const CoarseScratch& scratch,
                                          std::size_t q) const {
  const double error = unit * group.errors[q];
  double score = 0;
  for (std::size_t j = 0; j < calibration_.k(); ++j) score += score_at(scratch, j, q);
  // The query's own score errs by k errors, a changed score by one more.
  const double slack =
      static_cast<double>(calibration_.k() + 1) * error + rounding(calibration_.k());
  const std::span<const Score> kth = calibration_.kth_nearest();
  const ExampleWeights& weights = calibration_.weights();
  Count count;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double similarity = unit * group.similarities[columns_[i] * coarse_group + q];
    const double changed = partial_[i] + std::min(kth[i], 1 - similarity);
    const std::size_t weight = weights.of(i);
    count.least += changed < score - slack ? weight : 0;
    count.most += changed < score + slack ? weight : 0;
  }
  return count;
}

void CoarseFull::decide_exactly(const CoarsePool& pool, const CoarseGroup& group,
                                CoarseScratch& scratch, std::size_t q,
                                std::span<std::uint8_t> conforming) const {
  const std::size_t k = calibration_.k();
  const Score score = sum_of_nearest(scratch.exact.nearest(pool.query(group, scratch, q, k), k), k);
  const std::size_t count = below(group, scratch, q, score);
  for (std::size_t a = 0; a < ranks_.size(); ++a) {
    if (count >= ranks_[a]) conforming[a] = 0;
  }
}

std::size_t CoarseFull::below(const CoarseGroup& group, CoarseScratch& scratch, std::size_t q,
                              Score score) const {
  const double error = unit * group.errors[q] + rounding(calibration_.k());
  const std::span<const Score> kth = calibration_.kth_nearest();
  const auto is_below = [&](std::size_t i) {
    const double inserted = 1 - unit * group.similarities[columns_[i] * coarse_group + q];
    if (inserted - error > kth[i]) return calibration_.scores()[i] < score;
    const double changed = partial_[i] + std::min(kth[i], inserted);
    if (std::abs(changed - score) > error) return changed < score;
    Score exact = 0;
    scratch.exact.scores(group.rows[q], {&columns_[i], 1}, &exact);
    return full::score_with(calibration_, i, exact) < score;
  };
  std::size_t count = 0;
  const ExampleWeights& weights = calibration_.weights();
  for (std::size_t i = 0; i < columns_.size(); ++i) count += is_below(i) ? weights.of(i) : 0U;
  return count;
}

}  // namespace caos
