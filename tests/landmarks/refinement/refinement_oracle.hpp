#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "caos/landmarks/refinement/correlation_map.hpp"
#include "caos/landmarks/refinement/point_refiner.hpp"

/// The definition of `PointRefiner`, step by step and slowly: no kernels, no sums of squares over
/// windows, no factored matrices, and landmarks really left out.
namespace refinement {

using caos::Indices;
using caos::Label;
using caos::PatchEvidence;
using caos::PatchProposal;
using caos::Shape;
using caos::vision::GrayImage;
using caos::vision::Point;

using Numbers = std::vector<double>;
using Rows = std::vector<Numbers>;

inline double apart(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

inline double middle(Numbers values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// Solves a linear system by elimination.
inline Numbers solved(Rows a, Numbers b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r) {
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    }
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c] / a[c][c];
      for (std::size_t j = c; j < n; ++j) a[r][j] -= factor * a[c][j];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

// Shapes.

struct Fitted {
  Shape points{};
  double distance = 0;
};

/// A shape mapped onto points: x' = a x - b y + c, y' = b x + a y + d.
inline Shape mapped_onto(const Shape& from, const Shape& to, const Numbers& weights) {
  Rows matrix(4, Numbers(4, 0));
  Numbers right(4, 0);
  const auto add = [&](const Numbers& row, double value, double weight) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) matrix[i][j] += weight * row[i] * row[j];
      right[i] += weight * row[i] * value;
    }
  };
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!from[t] || !to[t]) continue;
    add({from[t]->x, -from[t]->y, 1, 0}, to[t]->x, weights[t]);
    add({from[t]->y, from[t]->x, 0, 1}, to[t]->y, weights[t]);
  }
  const Numbers m = solved(matrix, right);
  Shape result(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!from[t]) continue;
    result[t] = Point{m[0] * from[t]->x - m[1] * from[t]->y + m[2],
                      m[1] * from[t]->x + m[0] * from[t]->y + m[3]};
  }
  return result;
}

inline Numbers weights_after(const Shape& a, const Shape& b, double factor) {
  Numbers distances;
  for (std::size_t t = 0; t < a.size(); ++t) {
    if (a[t] && b[t]) distances.push_back(apart(*a[t], *b[t]));
  }
  const double scale = factor * middle(distances);
  Numbers weights(a.size(), 0);
  for (std::size_t t = 0; t < a.size(); ++t) {
    if (a[t] && b[t]) weights[t] = 1 / (1 + std::pow(apart(*a[t], *b[t]) / scale, 2));
  }
  return weights;
}

/// The nearest shapes, or nothing of those that share too few landmarks.
inline std::vector<Fitted> nearest(const std::vector<Shape>& shapes, const Indices& images,
                                   const Shape& points, double cap, std::size_t count) {
  std::vector<Fitted> found;
  for (const std::size_t i : images) {
    std::size_t shared = 0;
    for (std::size_t t = 0; t < points.size(); ++t) shared += shapes[i][t] && points[t] ? 1U : 0U;
    if (shared < 4) continue;
    Numbers weights(points.size(), 1);
    Fitted fitted;
    for (int round = 0; round < 5; ++round) {
      fitted.points = mapped_onto(shapes[i], points, weights);
      weights = weights_after(fitted.points, points, 1);
    }
    for (std::size_t t = 0; t < points.size(); ++t) {
      if (!fitted.points[t] || !points[t]) continue;
      fitted.distance += std::min(cap, apart(*fitted.points[t], *points[t]));
    }
    fitted.distance /= static_cast<double>(shared);
    found.push_back(fitted);
  }
  std::ranges::stable_sort(found, {}, &Fitted::distance);
  if (found.size() > count) found.resize(count);
  return found;
}

/// The mean shape plus the combination that fits the points best under the weights.
inline Shape combined(const std::vector<Fitted>& shapes, const Shape& points,
                      const Numbers& weights) {
  const std::size_t n = shapes.size();
  Shape mean(points.size());
  for (std::size_t t = 0; t < points.size(); ++t) {
    std::vector<Point> all;
    for (const Fitted& one : shapes) {
      if (one.points[t]) all.push_back(*one.points[t]);
    }
    if (all.empty()) continue;
    mean[t] = Point{};
    for (const Point p : all) mean[t]->x += p.x / static_cast<double>(all.size());
    for (const Point p : all) mean[t]->y += p.y / static_cast<double>(all.size());
  }
  const auto off = [&](std::size_t j, std::size_t t) {
    const Point at = shapes[j].points[t].value_or(*mean[t]);
    return Point{at.x - mean[t]->x, at.y - mean[t]->y};
  };
  Rows matrix(n, Numbers(n, 0));
  Numbers right(n, 0);
  for (std::size_t i = 0; i < n; ++i) matrix[i][i] = static_cast<double>(n) * 1.5 * 1.5;
  for (std::size_t t = 0; t < points.size(); ++t) {
    if (!points[t] || !mean[t]) continue;
    for (std::size_t i = 0; i < n; ++i) {
      const Point a = off(i, t);
      right[i] +=
          weights[t] * (a.x * (points[t]->x - mean[t]->x) + a.y * (points[t]->y - mean[t]->y));
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i][j] += weights[t] * (a.x * off(j, t).x + a.y * off(j, t).y);
      }
    }
  }
  const Numbers shares = solved(matrix, right);
  for (std::size_t t = 0; t < points.size(); ++t) {
    if (!mean[t]) continue;
    Point sum = *mean[t];
    for (std::size_t j = 0; j < n; ++j) sum.x += shares[j] * off(j, t).x;
    for (std::size_t j = 0; j < n; ++j) sum.y += shares[j] * off(j, t).y;
    mean[t] = sum;
  }
  return mean;
}

/// By landmark: the median square error where the landmark has no say. For at most 24 shapes.
inline std::vector<std::optional<double>> variances(const std::vector<Shape>& shapes) {
  std::map<std::size_t, Numbers> squares;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Indices others(shapes.size());
    std::iota(others.begin(), others.end(), std::size_t{0});
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto fitted = nearest(shapes, others, shapes[i], 1e300, 64);
    if (fitted.size() < 3) continue;
    for (std::size_t t = 0; t < shapes[i].size(); ++t) {
      Numbers weights(shapes[i].size(), 1);
      weights[t] = 0;
      const Shape found = combined(fitted, shapes[i], weights);
      if (!shapes[i][t] || !found[t]) continue;
      squares[t].push_back(std::pow(apart(*found[t], *shapes[i][t]), 2));
    }
  }
  std::vector<std::optional<double>> result(shapes[0].size());
  for (const auto& [t, values] : squares) result[t] = middle(values);
  return result;
}

// Pixels.

inline double gray_at(const GrayImage& image, double x, double y) {
  const auto inside = [](double value, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(size) - 1));
  };
  return image(inside(y, image.rows()), inside(x, image.cols()));
}

/// The correlation of a square of the template and the pixels around a place.
inline double correlation(std::span<const std::uint8_t> pattern, int radius, const GrayImage& image,
                          Point center) {
  Numbers a;
  Numbers b;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      a.push_back(pattern[static_cast<std::size_t>((19 + dy) * 39 + 19 + dx)]);
      b.push_back(gray_at(image, std::floor(center.x) + dx, std::floor(center.y) + dy));
    }
  }
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double both = 0;
  double own = 0;
  double other = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    both += (a[p] - mean_a) * (b[p] - mean_b) / n;
    own += (a[p] - mean_a) * (a[p] - mean_a) / n;
    other += (b[p] - mean_b) * (b[p] - mean_b) / n;
  }
  return both / std::sqrt((own + 1) * (other + 1));
}

}  // namespace refinement
