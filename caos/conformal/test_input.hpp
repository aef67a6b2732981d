#pragma once

#include "caos/conformal/grouping.hpp"
#include "caos/core/scores.hpp"

namespace caos {

/// A new input, as the labelled examples see it. Scores are as in check_scores.hpp; `predict` and
/// `evaluate` of the engine check them, what is below takes them as they are.
struct TestInput {
  ScoreRows pools;      ///< [K, n]: entry (y, j) is the score of label y under reference j
  ScoreRows reverse{};  ///< [K, n], for Full CAOS: entry (y, i) is the score of example i's own
                        ///< label under the reference (x, y); `pools` for symmetric scores
  GroupId group = 0;    ///< for calibrations grouped by input
};

}  // namespace caos
