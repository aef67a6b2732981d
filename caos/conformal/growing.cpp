#include "caos/growing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/numerics/minsum.hpp"

namespace caos {
namespace {

void require_scores(std::span<const Score> scores, std::size_t n) {
  require(scores.size() == n, ErrorKind::invalid_input, [&] {
    return fmt::format("a new example needs {} scores each way, one per example; got {}", n,
                       scores.size());
  });
  check_scores(scores, "the new example");
}

template <typename T>
void insert_at(std::vector<T>& values, std::size_t i, T value) {
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(i), std::move(value));
}

template <typename T>
void erase_at(std::vector<T>& values, std::size_t i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}

/// The k smallest of the pool, by the fastest kernel.
std::vector<Score> nearest_in(ScorePool pool, std::size_t k) {
  std::vector<Score> nearest(k);
  smallest_rows(MatrixView<const Score>(pool.data(), 1, pool.size()), {nearest.data(), 1, k});
  return nearest;
}

/// The k smallest once `inserted`, which is below the largest of them, has joined.
std::vector<Score> with_inserted(std::span<const Score> nearest, Score inserted) {
  std::vector<Score> result(nearest.begin(), nearest.end() - 1);
  result.insert(std::ranges::upper_bound(result, inserted), inserted + 0.0);  // -0 becomes +0
  return result;
}

}  // namespace

class GrowingCalibration::Changes {
 public:
  void take_out(std::size_t group, Score score) { at(group).removed.push_back(score); }
  void put_in(std::size_t group, Score score) { at(group).added.push_back(score); }

  /// One pass over each group that changes.
  void apply(std::vector<SortedScores>& groups) {
    for (Change& change : changes_) {
      groups[change.group].replace(std::move(change.removed), std::move(change.added));
    }
  }

 private:
  struct Change {
    std::size_t group;
    std::vector<Score> removed;
    std::vector<Score> added;
  };

  Change& at(std::size_t group) {
    const auto found = std::ranges::find(changes_, group, &Change::group);
    if (found != changes_.end()) return *found;
    return changes_.emplace_back(Change{group, {}, {}});
  }

  std::vector<Change> changes_;
};

GrowingCalibration::GrowingCalibration(const OwnScores& own, Calibration calibration)
    : k_(calibration.k()), calibration_(std::move(calibration)) {
  require(own.size() == calibration_->size(), ErrorKind::invalid_input,
          "the calibration must be that of the given scores");
  store(own);
}

GrowingCalibration::GrowingCalibration(const OwnScores& own, std::size_t k) : k_(k) {
  store(own);
  if (own.size() > k) calibration_ = calibrate(own, {.k = k, .threads = 1});
}

void GrowingCalibration::store(const OwnScores& own) {
  for (std::size_t slot = 0; slot < own.size(); ++slot) {
    Shell shell;
    shell.under_elders.assign(own.row(slot).begin(),
                              own.row(slot).begin() + static_cast<std::ptrdiff_t>(slot));
    for (std::size_t elder = 0; elder < slot; ++elder) {
      shell.of_elders.push_back(own(elder, slot));
    }
    shells_.push_back(std::move(shell));
    slots_.push_back(slot);
  }
}

Score GrowingCalibration::score_at(std::size_t slot, std::size_t reference_slot) const {
  return slot > reference_slot ? shells_[slot].under_elders[reference_slot]
                               : shells_[reference_slot].of_elders[slot];
}

std::vector<Score> GrowingCalibration::nearest_of(std::size_t position) const {
  std::vector<Score> pool;
  pool.reserve(slots_.size());
  for (const std::size_t slot : slots_) {
    if (slot != slots_[position]) pool.push_back(score_at(slots_[position], slot));
  }
  return nearest_in(pool, k_);
}

void GrowingCalibration::set_nearest(std::size_t position, std::span<const Score> nearest,
                                     Changes& changes) {
  Calibration& c = *calibration_;
  const std::size_t group = c.grouping_.of_example(position);
  changes.take_out(group, c.scores_[position]);
  std::ranges::copy(nearest, c.nearest_.row(position).begin());
  c.kth_nearest_[position] = nearest.back();
  c.scores_[position] = sum_in_order(nearest);
  changes.put_in(group, c.scores_[position]);
}

void GrowingCalibration::insert(std::size_t position, std::span<const Score> nearest, GroupId group,
                                Changes& changes) {
  Calibration& c = *calibration_;
  const std::size_t groups_before = c.grouping_.num_groups();
  const std::size_t joined = c.grouping_.add_example(group);
  if (c.grouping_.num_groups() > groups_before) {
    c.groups_.emplace(c.groups_.begin() + static_cast<std::ptrdiff_t>(joined));
  }
  c.nearest_.push_row(nearest);
  Score* const rows = c.nearest_.view().data();
  std::rotate(rows + position * k_, rows + (c.nearest_.rows() - 1) * k_,
              rows + c.nearest_.rows() * k_);
  ++c.num_references_;
  insert_at(c.kth_nearest_, position, nearest.back());
  insert_at(c.scores_, position, sum_in_order(nearest));
  changes.put_in(joined, c.scores_[position]);
}

void GrowingCalibration::erase(std::size_t position, Changes& changes) {
  Calibration& c = *calibration_;
  changes.take_out(c.grouping_.of_example(position), c.scores_[position]);
  c.grouping_.remove_example(position);
  c.nearest_.erase_row(position);
  --c.num_references_;
  erase_at(c.kth_nearest_, position);
  erase_at(c.scores_, position);
}

void GrowingCalibration::insert_example(std::size_t position, std::span<const Score> under_others,
                                        std::span<const Score> of_others, GroupId group) {
  const std::size_t n = slots_.size();
  require_scores(under_others, n);
  require_scores(of_others, n);
  if (calibration_) {
    Changes changes;
    insert(position, nearest_in(under_others, k_), group, changes);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = i < position ? i : i + 1;
      if (of_others[i] < calibration_->kth_nearest_[at]) {
        set_nearest(at, with_inserted(calibration_->nearest(at), of_others[i]), changes);
      }
    }
    changes.apply(calibration_->groups_);
  }
  Shell shell{std::vector<Score>(shells_.size()), std::vector<Score>(shells_.size())};
  for (std::size_t i = 0; i < n; ++i) {
    shell.under_elders[slots_[i]] = under_others[i];
    shell.of_elders[slots_[i]] = of_others[i];
  }
  insert_at(slots_, position, shells_.size());
  shells_.push_back(std::move(shell));
  if (!calibration_ && size() > k_) calibration_ = calibrate(own_scores(), {.k = k_, .threads = 1});
}

void GrowingCalibration::remove_example(std::size_t i) {
  require(i < slots_.size(), ErrorKind::invalid_input, "the example to remove is out of range");
  require(slots_.size() >= k_ + 2, ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} needs at least {} examples; none can be removed", k_, k_ + 1);
  });
  take_example(i);
}

void GrowingCalibration::take_example(std::size_t i) {
  const std::size_t leaver = slots_[i];
  erase_at(slots_, i);
  if (size() <= k_) {
    calibration_.reset();
  } else {
    const std::size_t left = calibration_->grouping_.of_example(i);
    Changes changes;
    erase(i, changes);
    for (std::size_t position = 0; position < slots_.size(); ++position) {
      if (score_at(slots_[position], leaver) <= calibration_->kth_nearest_[position]) {
        set_nearest(position, nearest_of(position), changes);
      }
    }
    changes.apply(calibration_->groups_);
    if (calibration_->grouping_.drop_if_empty(left)) erase_at(calibration_->groups_, left);
  }
  // The example that joined last leaves nothing behind: moving an example costs no memory.
  const std::size_t used = slots_.empty() ? 0 : std::ranges::max(slots_) + 1;
  shells_.resize(used);
  // Often enough to bound memory, seldom enough that its cost per removal stays O(n).
  if (shells_.size() > 2 * slots_.size()) drop_leavers();
}

void GrowingCalibration::drop_leavers() {
  const std::size_t n = slots_.size();
  std::vector<Shell> present;
  for (std::size_t i = 0; i < n; ++i) {
    Shell& shell = present.emplace_back();
    for (std::size_t elder = 0; elder < i; ++elder) {
      shell.under_elders.push_back(own_score(i, elder));
      shell.of_elders.push_back(own_score(elder, i));
    }
  }
  shells_ = std::move(present);
  std::iota(slots_.begin(), slots_.end(), std::size_t{0});
}

OwnScores GrowingCalibration::own_scores() const {
  const std::size_t n = slots_.size();
  Matrix<Score> matrix(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i != j) matrix(i, j) = own_score(i, j);
    }
  }
  return OwnScores(std::as_const(matrix).view());
}

Calibration with_example(const Calibration& calibration, std::span<const Score> under_others,
                         std::span<const Score> of_others, GroupId group) {
  const std::size_t n = calibration.size();
  require_scores(under_others, n);
  require_scores(of_others, n);
  Matrix<Score> nearest(0, calibration.k());
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_nearer = of_others[i] < calibration.kth_nearest()[i];
    if (is_nearer) {
      nearest.push_row(with_inserted(calibration.nearest(i), of_others[i]));
    } else {
      nearest.push_row(calibration.nearest(i));
    }
  }
  nearest.push_row(nearest_in(under_others, calibration.k()));
  Grouping grouping = calibration.grouping();
  grouping.add_example(group);
  return Calibration(std::move(nearest), std::move(grouping), calibration.num_references() + 1);
}

}  // namespace caos
