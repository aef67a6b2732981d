#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/grouping.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"
#include "caos/sorted_scores.hpp"

namespace caos::classification {

/// The scores of full conformal prediction for one input x and all its candidate labels: inserting
/// the candidate (x, y) changes the score of labeled example i in one of two ways, depending on
/// whether y is the label of i. Smaller scores conform better.
struct CandidateScores {
  std::vector<Score> candidates{};  ///< [K]: of (x, y) given all labeled examples
  std::vector<Score> with_same{};   ///< [n]: of example i once (x, Y_i) has joined
  std::vector<Score> with_other{};  ///< [n]: of example i once (x, y) with y != Y_i has joined
};

/// How every candidate compares with the labeled examples of its group.
struct CandidateCounts {
  std::vector<Exceedances> exceedances{};  ///< [K]
  std::vector<std::size_t> peers{};        ///< [K]: labeled examples that y is compared with

  /// The conformal p-value (1 + #{S_i >= S_y}) / (peers + 1) of every label.
  [[nodiscard]] std::vector<double> p_values() const;

  /// The labels that conform, ascending: those with p-value > alpha, decided by rank.
  [[nodiscard]] PredictionSet predict_set(const Miscoverage& alpha,
                                          RankRule rule = RankRule::every_label) const;
};

/// Compares exactly, ties counted apart, in O(n log K). `labels` are those of the n examples, and
/// `input_group` the group of x where the grouping is by input.
[[nodiscard]] CandidateCounts count(const CandidateScores& scores, std::span<const Label> labels,
                                    const Grouping& grouping, GroupId input_group = 0);

}  // namespace caos::classification
