#include "caos/engine/pool_predictors.hpp"

#include <utility>

namespace caos {

PoolPredictors::PoolPredictors(const LandmarkModel& model, LandmarkPredictOptions options,
                               std::shared_ptr<const CoarseReferences> shared)
    : model_(model), options_(std::move(options)), shared_(std::move(shared)) {
  static_cast<void>(any());  // what is wrong with the options shows at once
}

const LandmarkPredictor& PoolPredictors::of(const NewImage& image) const {
  const std::lock_guard lock(mutex_);
  auto& predictor = by_size_[image.num_images];
  if (!predictor) {
    LandmarkPredictOptions options = options_;
    options.new_images = image.num_images;
    predictor = std::make_unique<const LandmarkPredictor>(model_, std::move(options), shared_);
  }
  return *predictor;
}

}  // namespace caos
