#include "caos/landmarks/geometry/geometry_estimate.hpp"

namespace caos {
namespace {

constexpr double local_scale = 1.5;
constexpr double shrinkage = 0.5;

}  // namespace

LocalAnchors::LocalAnchors(const vision::PatchGrid& grid, vision::Point at) : position(at) {
  for (std::uint32_t p = 0; p < grid.size(); ++p) {
    const double weight = biweight(squared_distance(center_of(grid, p), at), local_scale);
    if (weight > 0) anchors.push_back({p, weight});
  }
}

GeometryEstimate::GeometryEstimate(std::span<const PatchVote> votes, std::size_t num_patches,
                                   double deviation)
    : deviation_(deviation), residuals_(num_patches) {
  const FittedTransform fitted = fit_transform(votes);
  transform_ = fitted.transform;
  double total = 0;
  std::size_t count = 0;
  for (std::size_t v = 0; v < votes.size(); ++v) {
    const double weight = fitted.weights[v];
    if (!(weight > 0)) continue;
    const vision::Point moved = transform_(votes[v].from);
    residuals_[votes[v].patch] = {weight, weight * (votes[v].to.x - moved.x),
                                  weight * (votes[v].to.y - moved.y), 0};
    total += weight;
    ++count;
  }
  support_ = total;
  if (count > 0) shrinkage_ = shrinkage * (total / static_cast<double>(count));
}

vision::Point GeometryEstimate::project(const LocalAnchors& landmark) const {
  Residual sum{};
  for (const auto& [patch, weight] : landmark.anchors) {
    const Residual& residual = residuals_[patch];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * residual[i];
  }
  const vision::Point moved = transform_(landmark.position);
  const double total = sum[0] + shrinkage_;
  if (!(total > 0)) return moved;
  return {.x = moved.x + sum[1] / total, .y = moved.y + sum[2] / total};
}

GeometryEstimate estimate_geometry(PatchSimilarities& similarities) {
  return {similarities.votes(), similarities.reference_grid().size(), similarities.deviation()};
}

GeometryEstimate estimate_geometry(const AnchorPatches& anchors, const TargetPatches& target,
                                   PatchSimilarities& scratch) {
  scratch.compare(anchors, target);
  return estimate_geometry(scratch);
}

}  // namespace caos
