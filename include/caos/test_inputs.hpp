#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "caos/grouping.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A new input, as the labeled examples see it. Requires valid scores (scores.hpp): `predict` and
/// `evaluate` check them, members of `Calibration` do not.
struct TestInput {
  ScoreRows pools;      ///< [K, n]: entry (y, j) is the score of label y under reference j
  ScoreRows reverse{};  ///< [K, n], for Full CAOS: entry (y, i) is the score of example i's own
                        ///< label under the reference (x, y); `pools` for symmetric scores
  GroupId group = 0;    ///< for calibrations grouped by input
};

/// New inputs as arrays, before they are taken one by one.
struct TestInputs {
  ScoreTensor test;                      ///< [m, K, n]
  std::optional<ScoreTensor> reverse{};  ///< [m, K, n]; Full CAOS needs it unless `symmetric`
  bool symmetric = false;                ///< the reverse scores are the test scores themselves
  std::vector<GroupId> groups{};         ///< one per input, for a grouping by input

  [[nodiscard]] std::size_t size() const { return test.num_inputs(); }
  [[nodiscard]] bool has_reverse() const { return symmetric || reverse.has_value(); }

  /// Input number `t`.
  [[nodiscard]] TestInput operator[](std::size_t t) const;

  /// Groups of inputs, or labels, that no labeled example is in.
  [[nodiscard]] std::set<GroupId> unknown_groups(const Grouping& grouping) const;

  /// Throws `invalid_input` unless the shapes agree with each other and with `num_references`, and
  /// there is one group per input where `grouping` asks for them.
  void check_shapes(std::size_t num_references, Grouping::Kind grouping) const;

  /// Throws `bad_format` if input `t` has an invalid score.
  void check_scores(std::size_t t) const;
};

}  // namespace caos
