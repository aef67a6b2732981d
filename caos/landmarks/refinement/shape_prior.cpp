#include "caos/landmarks/refinement/shape_prior.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "caos/landmarks/refinement/shape_combination.hpp"

namespace caos {
namespace {

using vision::Point;

constexpr int combination_rounds = 4;
constexpr double noise = 1.5;              ///< of a measured point, in pixels
constexpr std::size_t most_combined = 64;  ///< shapes; work grows with their square
constexpr std::size_t most_measured = 24;  ///< shapes that variances are measured on
constexpr std::size_t fewest_combined = 3;
constexpr double no_cap = 1e300;

double penalty_for(std::size_t num_shapes) {
  return static_cast<double>(num_shapes) * noise * noise;
}

Shape mapped(const Shape& shape, const Similarity& map) {
  Shape result(shape.size());
  for (std::size_t t = 0; t < shape.size(); ++t) {
    if (shape[t]) result[t] = map(*shape[t]);
  }
  return result;
}

double capped_mean(const std::vector<double>& distances, double cap) {
  double sum = 0;
  for (const double value : distances) sum += std::min(value, cap);
  return sum / static_cast<double>(distances.size());
}

/// Points minus the mean shape.
std::vector<double> residual_of(const ShapeRows& shapes, const Shape& points) {
  std::vector<double> residual;
  for (std::size_t l = 0; l < shapes.landmarks.size(); ++l) {
    const Point at = *points[shapes.landmarks[l]];
    residual.push_back(at.x - shapes.mean[2 * l]);
    residual.push_back(at.y - shapes.mean[2 * l + 1]);
  }
  return residual;
}

std::vector<double> errors_of(std::span<const double> fitted, std::span<const double> residual) {
  std::vector<double> errors;
  for (std::size_t c = 0; c < fitted.size(); c += 2) {
    errors.push_back(distance({fitted[c], fitted[c + 1]}, {residual[c], residual[c + 1]}));
  }
  return errors;
}

/// What `ShapePrior::expected` combines, and how far it is from the points.
struct Combined {
  std::vector<double> fitted{};
  double median_error = 0;
};

Combined robust_combination(const ShapeRows& shapes, std::span<const double> residual) {
  std::vector<double> weights(shapes.landmarks.size(), 1.0);
  Combined result;
  for (int round = 0; round < combination_rounds; ++round) {
    result.fitted = combination(shapes, residual, weights, penalty_for(shapes.size()));
    const std::vector<double> errors = errors_of(result.fitted, residual);
    result.median_error = median(errors);
    if (result.median_error == 0) break;
    const double scale = 2 * result.median_error;
    std::ranges::transform(errors, weights.begin(),
                           [&](double r) { return 1 / (1 + (r / scale) * (r / scale)); });
  }
  return result;
}

/// Positions of at most `most` of `count` things, evenly spaced.
Indices spread_over(std::size_t count, std::size_t most) {
  Indices chosen;
  const std::size_t size = std::min(count, most);
  for (std::size_t i = 0; i < size; ++i) chosen.push_back(i * count / size);
  return chosen;
}

}  // namespace

ShapePrior::ShapePrior(std::vector<Shape> shapes) : shapes_(std::move(shapes)) {
  measure_variances();
}

std::vector<MappedShape> ShapePrior::nearest(const Shape& points, const Indices& images, double cap,
                                             std::size_t count) const {
  std::vector<MappedShape> found;
  for (const std::size_t i : images) {
    const MatchedPoints both = matched(shapes_[i], points);
    if (both.from.size() < fewest_landmarks) continue;
    const RobustFit fit = robust_fit(both);
    found.push_back({mapped(shapes_[i], fit.map), capped_mean(fit.distances, cap)});
  }
  std::ranges::stable_sort(found, {}, &MappedShape::distance);
  if (found.size() > count) found.resize(count);
  return found;
}

std::vector<std::optional<ExpectedPoint>> ShapePrior::expected(const Shape& points,
                                                               const Indices& images,
                                                               double cap) const {
  std::vector<std::optional<ExpectedPoint>> result(points.size());
  const std::vector<MappedShape> others = nearest(points, images, cap, most_combined);
  if (others.size() < fewest_combined) return result;
  const ShapeRows rows = rows_of(others, points);
  const Combined combined = robust_combination(rows, residual_of(rows, points));
  for (std::size_t l = 0; l < rows.landmarks.size(); ++l) {
    const std::size_t t = rows.landmarks[l];
    if (!variances_[t]) continue;
    result[t] =
        ExpectedPoint{.point = {rows.mean[2 * l] + combined.fitted[2 * l],
                                rows.mean[2 * l + 1] + combined.fitted[2 * l + 1]},
                      .variance = *variances_[t] + combined.median_error * combined.median_error};
  }
  return result;
}

void ShapePrior::measure_variances() {
  std::vector<std::vector<double>> squares(shapes_.empty() ? 0 : shapes_[0].size());
  variances_.resize(squares.size());
  for (const std::size_t i : spread_over(shapes_.size(), most_measured)) {
    Indices images(shapes_.size());
    std::iota(images.begin(), images.end(), std::size_t{0});
    images.erase(images.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<MappedShape> others = nearest(shapes_[i], images, no_cap, most_combined);
    if (others.size() < fewest_combined) continue;
    const ShapeRows rows = rows_of(others, shapes_[i]);
    const std::vector<Point> errors =
        errors_without(rows, residual_of(rows, shapes_[i]), penalty_for(rows.size()));
    for (std::size_t l = 0; l < errors.size(); ++l) {
      squares[rows.landmarks[l]].push_back(errors[l].x * errors[l].x + errors[l].y * errors[l].y);
    }
  }
  for (std::size_t t = 0; t < squares.size(); ++t) {
    if (!squares[t].empty()) variances_[t] = median(squares[t]);
  }
}

}  // namespace caos
