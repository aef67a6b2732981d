#include "caos/landmarks/pool_predictors.hpp"

#include <algorithm>
#include <utility>

namespace caos {

PoolPredictors::PoolPredictors(const LandmarkModel& model, LandmarkPredictOptions options,
                               std::shared_ptr<const PatchMatcher> matcher)
    : model_(model), options_(std::move(options)), matcher_(std::move(matcher)) {
  static_cast<void>(any());  // what is wrong with the options shows at once
}

const LandmarkPredictor& PoolPredictors::of(const NewImage& image) const {
  const std::lock_guard lock(mutex_);
  auto& predictor = by_size_[image.num_images];
  if (!predictor) {
    LandmarkPredictOptions options = options_;
    options.new_images = image.num_images;
    predictor = std::make_unique<const LandmarkPredictor>(model_, std::move(options), *matcher_);
  }
  return *predictor;
}

std::vector<const LandmarkPredictor*> PoolPredictors::for_all_sizes() const {
  if (!model_.pool) return {&any()};
  std::vector<const LandmarkPredictor*> all;
  for (const std::size_t size : model_.pool->new_sizes()) {
    all.push_back(&of(NewImage{.num_images = size}));
  }
  return all;
}

bool PoolPredictors::is_feasible(std::size_t landmark, const Miscoverage& alpha) const {
  return std::ranges::all_of(for_all_sizes(), [&](const LandmarkPredictor* predictor) {
    return predictor->is_feasible(landmark, alpha);
  });
}

Guarantee PoolPredictors::guarantee(std::size_t landmark, const Miscoverage& alpha) const {
  Guarantee weakest;
  for (const LandmarkPredictor* predictor : for_all_sizes()) {
    weakest = predictor->guarantee(landmark, alpha);
    if (weakest.kind == Guarantee::Kind::none) break;
  }
  return weakest;
}

}  // namespace caos
