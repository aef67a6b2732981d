#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A calibration that labeled examples join and leave, always equal bit for bit to calibrating the
/// present examples from scratch.
/// Joining costs O(n); leaving costs O(n), and O(n) more for each example that had the removed one
/// among its k smallest scores. Not safe to change from two threads at once.
class GrowingCalibration {
 public:
  GrowingCalibration(const OwnScores& own, Calibration calibration);

  /// Without groups, and perhaps too few examples to be calibrated yet: none, or those of `own`.
  explicit GrowingCalibration(std::size_t k) : k_(k) {}
  GrowingCalibration(const OwnScores& own, std::size_t k);

  [[nodiscard]] std::size_t size() const { return slots_.size(); }

  /// Whether there are k + 1 examples.
  [[nodiscard]] bool is_calibrated() const { return calibration_.has_value(); }
  /// Requires that.
  [[nodiscard]] const Calibration& calibration() const { return *calibration_; }

  /// Appends an example. `under_others[j]` is its own label's score under example j;
  /// `of_others[i]` is the score of example i's own label under it; `group` is its group, if any.
  /// Requires n valid scores each (scores.hpp).
  void add_example(std::span<const Score> under_others, std::span<const Score> of_others,
                   GroupId group = 0) {
    insert_example(size(), under_others, of_others, group);
  }
  /// The same before the example at `position`, which moves down with those after it. Requires no
  /// groups unless it is the last.
  void insert_example(std::size_t position, std::span<const Score> under_others,
                      std::span<const Score> of_others, GroupId group = 0);

  /// Removes example i; later ones move up by one. Requires that k + 1 examples remain.
  void remove_example(std::size_t i);
  /// The same whatever remains; with fewer examples nothing is calibrated. Requires no groups if
  /// that may be.
  void take_example(std::size_t i);

  /// The score of example i's own label under example j, another one.
  [[nodiscard]] Score own_score(std::size_t i, std::size_t j) const {
    return score_at(slots_[i], slots_[j]);
  }

  /// The scores of the present examples under each other, for saving.
  [[nodiscard]] OwnScores own_scores() const;

 private:
  /// What one example brought when it joined: its scores under the earlier ones and theirs under
  /// it.
  /// Joining appends one shell and touches no other; a square matrix would have to move.
  struct Shell {
    std::vector<Score> under_elders;
    std::vector<Score> of_elders;
  };

  /// Calibration scores to take out of and to put into each group.
  class Changes;

  void store(const OwnScores& own);
  [[nodiscard]] Score score_at(std::size_t slot, std::size_t reference_slot) const;
  [[nodiscard]] std::vector<Score> nearest_of(std::size_t position) const;
  void set_nearest(std::size_t position, std::span<const Score> nearest, Changes& changes);
  void insert(std::size_t position, std::span<const Score> nearest, GroupId group,
              Changes& changes);
  void erase(std::size_t position, Changes& changes);
  void drop_leavers();

  std::size_t k_;
  std::optional<Calibration> calibration_;
  std::vector<Shell> shells_;       ///< by slot; those of leavers stay until `drop_leavers`
  std::vector<std::size_t> slots_;  ///< the slot of each present example
};

/// The calibration with one example more, as `GrowingCalibration::add_example` makes it, but from
/// the calibration alone; such an example cannot be removed again. Costs O(n k).
[[nodiscard]] Calibration with_example(const Calibration& calibration,
                                       std::span<const Score> under_others,
                                       std::span<const Score> of_others, GroupId group = 0);

}  // namespace caos
