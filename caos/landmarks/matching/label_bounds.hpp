#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "caos/kernels/near_bounds.hpp"
#include "caos/landmarks/matching/set_decider.hpp"
#include "caos/scores.hpp"

namespace caos {

/// What the sum of the k smallest geometry scores of each label of an image is at least and at
/// most, under some references. Only rows of labels that are near a reference are looked at.
class LabelBounds {
 public:
  /// `side` is that of a label, in patches; `error` that of coarse similarities, in units. Where
  /// similarities are not known, there are no upper bounds.
  LabelBounds(const vision::PatchGrid& labels, double side,
              std::span<const kernels::PlacedTerms> references, std::size_t k, int error = 0);

  /// Requires a `k` that is not larger.
  [[nodiscard]] double least(Label label, std::size_t k) const {
    return has(label) ? sum(low_, label, k) * (1 - kernels::near_slack) : least_far(k);
  }
  [[nodiscard]] double most(Label label, std::size_t k) const {
    return !high_.empty() && has(label) ? sum(high_, label, k) * (1 + kernels::near_slack)
                                        : std::numeric_limits<double>::infinity();
  }
  /// The least that labels far from all references have.
  [[nodiscard]] static double least_far(std::size_t k);

  /// Labels, from and to but not including, besides which none has a sum of at most a limit.
  [[nodiscard]] std::pair<Label, Label> within(std::span<const PoolRule::Limit> limits) const;

 private:
  [[nodiscard]] bool has(Label label) const { return label >= begin_ && label < end_; }
  [[nodiscard]] double sum(const std::vector<double>& values, Label label, std::size_t k) const {
    double total = 0;
    for (std::size_t j = 0; j < k; ++j) total += values[j * stride_ + (label - begin_)];
    return total;
  }

  std::size_t num_labels_;
  Label begin_ = 0;  ///< of the rows that are near
  Label end_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> low_{};  ///< [k, stride]
  std::vector<double> high_{};
};

}  // namespace caos
