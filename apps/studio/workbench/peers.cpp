#include "apps/studio/workbench/peers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "caos/conformal/subject_weights.hpp"

namespace caos::studio {
namespace {

/// The page multiplies weights by the digits of alpha, six at most, without rounding: a double has
/// 53 bits for that.
constexpr std::uint64_t most_page_weight = std::uint64_t{1} << 32U;

/// An image outside the pool is treated as the only one of its subject there.
ExampleWeights weights_of(PoolSizes pool, std::size_t new_images) {
  const std::size_t labeled =
      std::accumulate(pool.of_subject.begin(), pool.of_subject.end(), std::size_t{0});
  pool.images = std::max(pool.images, labeled + new_images);
  return pool_weights({}, pool, new_images, most_page_weight);
}

}  // namespace

Peers::Peers(std::shared_ptr<const Calibrated> calibrated, std::size_t new_images)
    : calibrated_(std::move(calibrated)) {
  if (!calibrated_->pool) return;
  weights_ = weights_of(*calibrated_->pool, new_images);
  auto joint = calibrated_->landmarks.joint(weights_);
  if (joint) joint_ = std::make_shared<const SortedScores>(*std::move(joint));
}

std::shared_ptr<const SortedScores> Peers::of(std::size_t landmark, bool simultaneous) const {
  if (!calibrated_->pool) return {calibrated_, &calibrated_->peers(landmark, simultaneous)};
  return simultaneous ? joint_ : weighted(landmark);
}

std::shared_ptr<const SortedScores> Peers::weighted(std::size_t landmark) const {
  const std::vector<ImageKey> keys = calibrated_->landmarks.keys();
  Indices positions;
  for (const ImageKey member : calibrated_->landmarks.members(landmark)) {
    positions.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(keys, member) - keys.begin()));
  }
  const auto scores = calibrated_->landmarks.calibration(landmark)->scores();
  return std::make_shared<const SortedScores>(std::vector(scores.begin(), scores.end()),
                                              weights_.at(positions));
}

}  // namespace caos::studio
