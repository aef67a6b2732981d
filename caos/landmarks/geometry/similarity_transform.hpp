#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "caos/backbone.hpp"

namespace caos {

/// That a patch of one image lies at a place of another. Places are in patches.
struct PatchVote {
  std::uint32_t patch = 0;
  vision::Point from{};  ///< its center
  vision::Point to{};
  double weight = 0;  ///< positive; any unit
};

/// u -> A u + b with A = [[c, -s], [s, c]]: rotation, scale and shift.
struct SimilarityTransform {
  double c = 1;
  double s = 0;
  vision::Point b{};

  [[nodiscard]] vision::Point operator()(vision::Point u) const {
    return {.x = c * u.x - s * u.y + b.x, .y = s * u.x + c * u.y + b.y};
  }
};

/// max(0, 1 - squared / (6 scale^2))^2: near 0 as exp(-squared / (2 scale^2)), and 0 far away.
[[nodiscard]] constexpr double biweight(double squared, double scale) {
  const double rest = 1 - squared / (6 * scale * scale);
  return rest > 0 ? rest * rest : 0;
}

/// The squared distance of two points.
[[nodiscard]] constexpr double squared_distance(vision::Point a, vision::Point b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  return x * x + y * y;
}

/// A transform and how much each vote still counts.
struct FittedTransform {
  SimilarityTransform transform{};
  std::vector<double> weights{};  ///< by vote
};

/// The transform that most votes agree on: six rounds of weighted least squares with a ridge of 0.3
/// times the sum of weights that pulls A to the identity; the first with the votes' weights, the
/// others with weight * biweight(squared residual, scale) for the scales 8, 4, 2, 1, 1. Where all
/// weights vanish, the transform stays as it was, the identity at first. The last scale gives the
/// weights that are returned.
[[nodiscard]] FittedTransform fit_transform(std::span<const PatchVote> votes);

}  // namespace caos
