#include "caos/landmarks/refinement/similarity.hpp"

#include <algorithm>
#include <cmath>

namespace caos {
namespace {

using vision::Point;

constexpr int fit_rounds = 5;

Point weighted_mean(const std::vector<Point>& points, std::span<const double> weights) {
  Point sum;
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum.x += weights[i] * points[i].x;
    sum.y += weights[i] * points[i].y;
    total += weights[i];
  }
  return {sum.x / total, sum.y / total};
}

std::vector<double> distances(const MatchedPoints& points, const Similarity& map) {
  std::vector<double> result;
  for (std::size_t i = 0; i < points.from.size(); ++i) {
    result.push_back(distance(map(points.from[i]), points.to[i]));
  }
  return result;
}

}  // namespace

double distance(Point a, Point b) {
  const double dx = a.x - b.x;
  const double dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Point Similarity::operator()(Point point) const {
  const Point a{point.x - from.x, point.y - from.y};
  return {to.x + cosine * a.x - sine * a.y, to.y + sine * a.x + cosine * a.y};
}

MatchedPoints matched(const Shape& from, const Shape& to) {
  MatchedPoints result;
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!from[t] || !to[t]) continue;
    result.from.push_back(*from[t]);
    result.to.push_back(*to[t]);
  }
  return result;
}

Similarity least_squares(const MatchedPoints& points, std::span<const double> weights) {
  const Point from = weighted_mean(points.from, weights);
  const Point to = weighted_mean(points.to, weights);
  double spread = 0;
  double along = 0;
  double across = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Point a{points.from[i].x - from.x, points.from[i].y - from.y};
    const Point b{points.to[i].x - to.x, points.to[i].y - to.y};
    spread += weights[i] * (a.x * a.x + a.y * a.y);
    along += weights[i] * (a.x * b.x + a.y * b.y);
    across += weights[i] * (a.x * b.y - a.y * b.x);
  }
  return {.cosine = spread > 0 ? along / spread : 0,
          .sine = spread > 0 ? across / spread : 0,
          .from = from,
          .to = to};
}

RobustFit robust_fit(const MatchedPoints& points) {
  std::vector<double> weights(points.from.size(), 1.0);
  RobustFit fit;
  for (int round = 0; round < fit_rounds; ++round) {
    fit.map = least_squares(points, weights);
    fit.distances = distances(points, fit.map);
    const double scale = median(fit.distances);
    if (scale == 0) break;
    std::ranges::transform(fit.distances, weights.begin(),
                           [&](double r) { return 1 / (1 + (r / scale) * (r / scale)); });
  }
  return fit;
}

}  // namespace caos
