#pragma once

#include <vector>

#include "caos/conformal/grouping.hpp"
#include "caos/core/scores.hpp"
#include "caos/core/types.hpp"

namespace caos {

/// The labels that conform, ascending: C-hat(x). It may be empty, and it may hold every label.
using PredictionSet = std::vector<Label>;

/// A new input, as the labelled examples see it.
struct TestInput {
  ScoreRows pools;  ///< [K, n]: entry (y, j) is the score of label y under reference j
  ScoreRows
      reverse{};      ///< [K, n], for Full CAOS: entry (y, i) is the score of example i's own label
                      ///< under the reference (x, y); the same as `pools` for symmetric scores
  GroupId group = 0;  ///< for calibrations grouped by input
};

}  // namespace caos
