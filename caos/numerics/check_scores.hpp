#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "caos/scores.hpp"

/// Scores are numbers not below -1e300, or +inf. NaN has no order; -inf, and sums that overflow to
/// it, would make NaN together with +inf. +inf conforms only where the threshold is +inf.
namespace caos {

/// Whether a number may serve as a score.
[[nodiscard]] bool is_score(Score score);

/// Throws `bad_format`, naming `tensor.name` and the entry, if a score of input `t` is NaN, -inf or
/// so far below zero that sums would overflow.
/// The column `ignored`, an example's score under itself, may hold anything.
void check_input(const ScoreTensor& tensor, std::size_t t,
                 std::optional<std::size_t> ignored = std::nullopt);

/// The same for the pools [K, n] of one input, number `t`.
void check_pools(const ScoreRows& pools, std::size_t t, const std::string& name,
                 std::optional<std::size_t> ignored = std::nullopt);

/// The same for a list of scores.
void check_scores(std::span<const Score> scores, const std::string& name);

/// The same for every entry of a matrix [n, n] off the diagonal.
void check_off_diagonal(const ScoreRows& matrix, const std::string& name);

}  // namespace caos
