#include "caos/landmarks/geometry/geometry_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace caos {
namespace {

constexpr double local_scale = 1.5;
constexpr double shrinkage = 0.5;

/// Rows or columns of patches, the last not included, that can have a weight: those within
/// sqrt(6) * local_scale, and some more.
struct Window {
  Window(double place, std::size_t size) {
    constexpr double enough = 2.5 * local_scale + 1;
    const auto most = static_cast<double>(size);
    first = static_cast<std::size_t>(std::clamp(std::floor(place - enough), 0.0, most));
    last = static_cast<std::size_t>(std::clamp(std::ceil(place + enough), 0.0, most));
  }
  std::size_t first;
  std::size_t last;
};

}  // namespace

LocalAnchors::LocalAnchors(const vision::PatchGrid& grid, vision::Point at) : position(at) {
  const Window rows(at.y, grid.rows);
  const Window columns(at.x, grid.columns);
  for (std::size_t r = rows.first; r < rows.last; ++r) {
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      const auto patch = static_cast<std::uint32_t>(r * grid.columns + c);
      const double weight = biweight(squared_distance(center_of(grid, patch), at), local_scale);
      if (!(weight > 0)) continue;
      patches.push_back(patch);
      weights.push_back(weight);
    }
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
  return project({&landmark, 1})[0];
}

std::vector<vision::Point> GeometryEstimate::project(
    std::span<const LocalAnchors> landmarks) const {
  std::vector<kernels::WeightedRows> lists;
  lists.reserve(landmarks.size());
  for (const LocalAnchors& landmark : landmarks) {
    lists.push_back({landmark.patches.data(), landmark.weights.data(), landmark.patches.size()});
  }
  std::vector<Residual> sums(landmarks.size());
  std::vector<vision::Point> places(landmarks.size());
  if (landmarks.empty()) return places;
  kernels::local_sums(residuals_.data()->data(), lists, sums.data()->data());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = shifted(landmarks[i].position, sums[i].data());
  }
  return places;
}

vision::Point GeometryEstimate::shifted(vision::Point position, const double* sum) const {
  const vision::Point moved = transform_(position);
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
