#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// The scores added in the order given, in double, starting from 0.
/// Every CAOS score is this sum over its k smallest scores in ascending order: one order of
/// additions everywhere, so that calibration and test scores may be compared with `<=`.
[[nodiscard]] Score sum_in_order(std::span<const Score> scores);

/// The k smallest scores of the pool, ascending; -0 becomes +0. Requires 1 <= k <= pool.size() and
/// no NaN.
[[nodiscard]] std::vector<Score> smallest(ScorePool pool, std::size_t k);

/// Sum of the k smallest scores in the pool (eqn. minsum).
/// Adds in ascending order in double, so equal pools give equal bits whatever their order.
/// Requires 1 <= k <= pool.size() and no NaN.
[[nodiscard]] Score minsum(ScorePool pool, std::size_t k);

/// `minsum` of the pool without the score at position `left_out` (eqn. caos_loo).
/// Requires left_out < pool.size() and 1 <= k <= pool.size() - 1.
[[nodiscard]] Score minsum_without(ScorePool pool, std::size_t k, std::size_t left_out);

/// `minsum` of every row, by the fastest kernel: the CAOS scores of the labels of an input
/// (eqn. caos_agg). Same bits as `minsum`. `out` holds one score per row.
void minsum_rows(const ScoreRows& pools, std::size_t k, std::span<Score> out);

/// `smallest` of every row, by the fastest kernel: `out` is [rows, k].
void smallest_rows(const ScoreRows& pools, MatrixView<Score> out);

}  // namespace caos
