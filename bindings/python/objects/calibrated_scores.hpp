#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/growing.hpp"

namespace caos::python {

/// What `caos.Calibration` is: a calibration with the scores that it came from, so that examples
/// can join and leave. Safe to use from several threads, readers while one changes it included;
/// none of its functions needs the GIL, and none may wait for a lock while holding it.
class CalibratedScores {
 public:
  /// `num_labels` is K where it is known, else 0.
  CalibratedScores(OwnScores own, Calibration calibration, std::size_t num_labels);

  /// From a file. A landmark or text model is an Error bad_format that says what reads it.
  [[nodiscard]] static CalibratedScores load(const std::string& path);

  CalibratedScores(CalibratedScores&& other) noexcept;

  [[nodiscard]] std::size_t num_labels() const { return num_labels_; }

  /// Calls `f` with the calibration as it is now; it does not change meanwhile.
  template <typename F>
  decltype(auto) read(F&& f) const {
    const std::shared_lock lock(mutex_);
    return std::forward<F>(f)(growing_ ? growing_->calibration() : *calibration_);
  }

  /// The same with the scores of the examples under each other.
  template <typename F>
  decltype(auto) read_all(F&& f) const {
    const std::shared_lock lock(mutex_);
    if (growing_) return std::forward<F>(f)(growing_->own_scores(), growing_->calibration());
    return std::forward<F>(f)(*own_, *calibration_);
  }

  void save(const std::string& path) const;

  /// As in `GrowingCalibration`; a calibration with groups needs one.
  void add_example(std::span<const Score> under_others, std::span<const Score> of_others,
                   std::optional<GroupId> group);
  void remove_example(std::size_t i);

 private:
  GrowingCalibration& growing();

  mutable std::shared_mutex mutex_;
  std::optional<OwnScores> own_;
  std::optional<Calibration> calibration_;
  std::optional<GrowingCalibration> growing_;  ///< in place of both, once something changed
  std::size_t num_labels_;
};

}  // namespace caos::python
