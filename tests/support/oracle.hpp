#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "caos/verify/plain_definitions.hpp"

/// The paper's definitions, written out slowly and obviously, on vectors of vectors. Shared with
/// `caos verify`, but with nothing that predicts.
namespace oracle {

using caos::plain::minsum;
using caos::plain::Pool;
using caos::plain::without;
using Table = caos::plain::Pools;

inline Pool with(Pool pool, double score) {
  pool.push_back(score);
  return pool;
}

/// ceil((1 - a/b)(n + 1)) in whole numbers: the smallest r with r * b >= (b - a)(n + 1).
inline std::size_t rank(std::size_t n, std::size_t a, std::size_t b) {
  std::size_t r = 0;
  while (r * b < (b - a) * (n + 1)) ++r;
  return r;
}

/// The score at `rank`, +infinity beyond the last.
inline double quantile(Pool scores, std::size_t rank) {
  std::sort(scores.begin(), scores.end());
  return rank <= scores.size() ? scores[rank - 1] : std::numeric_limits<double>::infinity();
}

/// The scores of every example's own label under all others: own[i][j] is that under reference j.
inline Table left_out(Table own) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = without(own[i], i);
  return own;
}

/// S_i of every example.
inline Pool caos_scores(const Table& own, std::size_t k) {
  return caos::plain::caos_scores(left_out(own), k);
}

/// S~_i of every example once a reference has joined that gives example i the score inserted[i].
inline Pool full_scores(const Table& own, const Pool& inserted, std::size_t k) {
  return caos::plain::full_scores(left_out(own), inserted, k);
}

/// The calibration scores of examples in one group only.
inline Pool of_group(const Pool& scores, const std::vector<std::size_t>& groups, std::size_t g) {
  Pool kept;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (groups[i] == g) kept.push_back(scores[i]);
  }
  return kept;
}

/// Algorithm 1 at alpha = a / b.
inline std::vector<std::size_t> caos_set(const Table& own, const Table& pools, std::size_t k,
                                         std::size_t a, std::size_t b) {
  const double q = quantile(caos_scores(own, k), rank(own.size(), a, b));
  std::vector<std::size_t> set;
  for (std::size_t y = 0; y < pools.size(); ++y) {
    if (minsum(pools[y], k) <= q) set.push_back(y);
  }
  return set;
}

/// Algorithm 3 at alpha = a / b; reverse[y][i] is the score of example i under (x, y).
inline std::vector<std::size_t> full_set(const Table& own, const Table& pools, const Table& reverse,
                                         std::size_t k, std::size_t a, std::size_t b) {
  std::vector<std::size_t> set;
  for (std::size_t y = 0; y < pools.size(); ++y) {
    const Pool scores = full_scores(own, reverse[y], k);
    if (minsum(pools[y], k) <= quantile(scores, rank(own.size(), a, b))) set.push_back(y);
  }
  return set;
}

/// (1 + #{i : scores[i] >= score}) / (n + 1)
inline double p_value(const Pool& scores, double score) {
  return caos::plain::p_value(caos::plain::count_at_least(scores, score), scores.size());
}

}  // namespace oracle
