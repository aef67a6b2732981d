#include "caos/landmarks/geometry/similarity_transform.hpp"

#include <array>
#include <optional>

namespace caos {
namespace {

constexpr double ridge = 0.3;
constexpr std::array<double, 5> scales{8, 4, 2, 1, 1};

using Votes = std::span<const PatchVote>;

/// Weighted means of both sides of the votes.
struct Means {
  double total = 0;
  vision::Point from{};
  vision::Point to{};
};

Means means_of(Votes votes, const std::vector<double>& weights) {
  Means means;
  for (std::size_t v = 0; v < votes.size(); ++v) {
    means.total += weights[v];
    means.from.x += weights[v] * votes[v].from.x;
    means.from.y += weights[v] * votes[v].from.y;
    means.to.x += weights[v] * votes[v].to.x;
    means.to.y += weights[v] * votes[v].to.y;
  }
  if (!(means.total > 0)) return means;
  means.from = {means.from.x / means.total, means.from.y / means.total};
  means.to = {means.to.x / means.total, means.to.y / means.total};
  return means;
}

/// Least squares with the ridge; nothing where all weights vanish.
std::optional<SimilarityTransform> least_squares(Votes votes, const std::vector<double>& weights) {
  const Means means = means_of(votes, weights);
  if (!(means.total > 0)) return std::nullopt;
  double along = 0;
  double across = 0;
  double spread = 0;
  for (std::size_t v = 0; v < votes.size(); ++v) {
    const double ux = votes[v].from.x - means.from.x;
    const double uy = votes[v].from.y - means.from.y;
    const double gx = votes[v].to.x - means.to.x;
    const double gy = votes[v].to.y - means.to.y;
    along += weights[v] * (gx * ux + gy * uy);
    across += weights[v] * (gy * ux - gx * uy);
    spread += weights[v] * (ux * ux + uy * uy);
  }
  const double pull = 2 * (ridge * means.total);
  SimilarityTransform fit{.c = (along + pull) / (spread + pull), .s = across / (spread + pull)};
  const vision::Point moved = fit(means.from);
  fit.b = {.x = means.to.x - moved.x, .y = means.to.y - moved.y};
  return fit;
}

void weigh(Votes votes, const SimilarityTransform& transform, double scale,
           std::vector<double>& weights) {
  for (std::size_t v = 0; v < votes.size(); ++v) {
    const double squared = squared_distance(transform(votes[v].from), votes[v].to);
    weights[v] = votes[v].weight * biweight(squared, scale);
  }
}

}  // namespace

FittedTransform fit_transform(std::span<const PatchVote> votes) {
  FittedTransform result;
  for (const PatchVote& vote : votes) result.weights.push_back(vote.weight);
  result.transform = least_squares(votes, result.weights).value_or(result.transform);
  for (const double scale : scales) {
    weigh(votes, result.transform, scale, result.weights);
    result.transform = least_squares(votes, result.weights).value_or(result.transform);
  }
  weigh(votes, result.transform, scales.back(), result.weights);
  return result;
}

}  // namespace caos
