#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "caos/landmarks/landmark_predictor.hpp"

namespace caos {

/// Predictors of one model, for new images of subjects of every size in its pool. Each is made when
/// it is first asked for; without a pool there is one. Safe to share between threads.
class PoolPredictors {
 public:
  /// `model` outlives this.
  PoolPredictors(const LandmarkModel& model, LandmarkPredictOptions options)
      : PoolPredictors(model, std::move(options), LandmarkPredictor::shared_part(model)) {}
  PoolPredictors(const LandmarkModel& model, LandmarkPredictOptions options,
                 std::shared_ptr<const PatchMatcher> matcher);

  /// For an image whose subject has one image in the pool; the only one without a pool.
  [[nodiscard]] const LandmarkPredictor& any() const { return of(NewImage{}); }
  [[nodiscard]] const LandmarkPredictor& of(const NewImage& image) const;
  /// One for every size that a new subject has in the pool; the only one without a pool.
  [[nodiscard]] std::vector<const LandmarkPredictor*> for_all_sizes() const;
  /// Whether alpha is feasible for a landmark, whatever the new subject's size.
  [[nodiscard]] bool is_feasible(std::size_t landmark, const Miscoverage& alpha) const;
  /// What holds for a landmark whatever the size: none where it is none for some.
  [[nodiscard]] Guarantee guarantee(std::size_t landmark, const Miscoverage& alpha) const;
  /// By the image's name in the pool.
  [[nodiscard]] const LandmarkPredictor& of(const std::string& image) const {
    return of(model_.new_image(image));
  }

 private:
  const LandmarkModel& model_;
  LandmarkPredictOptions options_;
  std::shared_ptr<const PatchMatcher> matcher_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, std::unique_ptr<const LandmarkPredictor>> by_size_;
};

}  // namespace caos
