#pragma once

#include <span>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// The labels that conform, ascending: C-hat(x). It may be empty, and it may hold every label.
using PredictionSet = std::vector<Label>;

/// The labels y with scores[y] <= thresholds[y]: exact, and ties conform.
[[nodiscard]] PredictionSet labels_at_most(std::span<const Score> scores,
                                           std::span<const Score> thresholds);

}  // namespace caos
