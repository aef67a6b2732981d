#include "caos/landmarks/shape_deviation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace caos {
namespace {

using vision::Point;

constexpr std::size_t fewest_landmarks = 4;  // a similarity transform maps any two onto any two
constexpr std::size_t num_nearest = 3;
constexpr int num_rounds = 5;

/// The landmarks that two shapes share.
struct Matched {
  std::vector<Point> from{};
  std::vector<Point> to{};
};

Matched matched(const Shape& from, const Shape& to) {
  Matched result;
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!from[t] || !to[t]) continue;
    result.from.push_back(*from[t]);
    result.to.push_back(*to[t]);
  }
  return result;
}

Point weighted_mean(const std::vector<Point>& points, const std::vector<double>& weights) {
  Point sum;
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum.x += weights[i] * points[i].x;
    sum.y += weights[i] * points[i].y;
    total += weights[i];
  }
  return {sum.x / total, sum.y / total};
}

/// Distances after the weighted least-squares similarity transform, by landmark.
std::vector<double> distances(const Matched& shapes, const std::vector<double>& weights) {
  const Point from = weighted_mean(shapes.from, weights);
  const Point to = weighted_mean(shapes.to, weights);
  double spread = 0;
  double along = 0;
  double across = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Point a{shapes.from[i].x - from.x, shapes.from[i].y - from.y};
    const Point b{shapes.to[i].x - to.x, shapes.to[i].y - to.y};
    spread += weights[i] * (a.x * a.x + a.y * a.y);
    along += weights[i] * (a.x * b.x + a.y * b.y);
    across += weights[i] * (a.x * b.y - a.y * b.x);
  }
  const double cosine = spread > 0 ? along / spread : 0;
  const double sine = spread > 0 ? across / spread : 0;
  std::vector<double> result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Point a{shapes.from[i].x - from.x, shapes.from[i].y - from.y};
    const double dx = to.x + cosine * a.x - sine * a.y - shapes.to[i].x;
    const double dy = to.y + sine * a.x + cosine * a.y - shapes.to[i].y;
    result.push_back(std::sqrt(dx * dx + dy * dy));
  }
  return result;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double robust_distance(const Matched& shapes) {
  std::vector<double> weights(shapes.from.size(), 1.0);
  std::vector<double> found;
  for (int round = 0; round < num_rounds; ++round) {
    found = distances(shapes, weights);
    const double scale = median(found);
    if (scale == 0) break;
    std::ranges::transform(found, weights.begin(),
                           [&](double r) { return 1 / (1 + (r / scale) * (r / scale)); });
  }
  return mean(found);
}

}  // namespace

vision::Point position_of(Label patch, Offset offset, std::size_t columns) {
  return {static_cast<double>(patch % columns) + offset.x,
          static_cast<double>(patch / columns) + offset.y};
}

Shape shape_of(std::span<const LandmarkPrediction> landmarks, std::size_t columns) {
  Shape shape;
  for (const LandmarkPrediction& one : landmarks) {
    shape.push_back(position_of(one.proposal, one.offset, columns));
  }
  return shape;
}

LabeledShapes::LabeledShapes(const LandmarkModel& model) {
  for (std::size_t i = 0; i < model.grid_columns.size(); ++i) {
    Shape& shape = shapes_.emplace_back(model.labeled.num_tasks());
    for (std::size_t t = 0; t < shape.size(); ++t) {
      const std::int64_t label = model.labeled.labels(i, t);
      if (label == missing_label) continue;
      shape[t] = position_of(static_cast<Label>(label), model.offsets(i, t), model.grid_columns[i]);
    }
  }
}

std::optional<double> LabeledShapes::deviation(const Shape& points) const {
  std::vector<double> found;
  for (const Shape& shape : shapes_) {
    const Matched both = matched(shape, points);
    if (both.from.size() >= fewest_landmarks) found.push_back(robust_distance(both));
  }
  if (found.empty()) return std::nullopt;
  std::ranges::sort(found);
  found.resize(std::min(found.size(), num_nearest));
  return mean(found);
}

}  // namespace caos
