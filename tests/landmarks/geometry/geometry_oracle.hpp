#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/scores.hpp"

/// The geometry score, one loop after another and one pair of images at a time, from its
/// definition. Similarities that vote are whole numbers: rows times 32000, rounded; their dot
/// product times 1 / 32000 in float, rounded.
namespace geometry_oracle {

using caos::vision::PatchGrid;
using caos::vision::Point;

struct Image {
  const caos::Matrix<float>& patches;
  PatchGrid grid;
};

using Table = std::vector<std::vector<int>>;

inline std::vector<int> whole_numbers(std::span<const float> row) {
  std::vector<int> result;
  for (const float value : row) {
    result.push_back(static_cast<int>(std::nearbyint(value * 32000.0F)));
  }
  return result;
}

inline int similarity(const std::vector<int>& a, const std::vector<int>& b) {
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += std::int64_t{a[d]} * b[d];
  const float quotient = static_cast<float>(sum) * (1.0F / 32000);
  return std::clamp(static_cast<int>(std::nearbyint(quotient)), -32767, 32767);
}

inline Table similarities(const Image& from, const Image& to) {
  Table table(from.patches.rows(), std::vector<int>(to.patches.rows()));
  for (std::size_t p = 0; p < table.size(); ++p) {
    for (std::size_t u = 0; u < table[p].size(); ++u) {
      table[p][u] =
          similarity(whole_numbers(from.patches.row(p)), whole_numbers(to.patches.row(u)));
    }
  }
  return table;
}

inline double deviation(const Table& table) {
  long double mean = 0;
  long double count = 0;
  for (const auto& row : table) {
    for (const int value : row) {
      mean += value;
      ++count;
    }
  }
  mean /= count;
  long double squares = 0;
  for (const auto& row : table) {
    for (const int value : row) squares += (value - mean) * (value - mean);
  }
  return static_cast<double>(std::sqrt(squares / count) / 32000);
}

inline Point center(const PatchGrid& grid, std::size_t patch) {
  return {static_cast<double>(patch % grid.columns) + 0.5,
          static_cast<double>(patch / grid.columns) + 0.5};
}

inline bool is_around(const PatchGrid& grid, std::size_t a, std::size_t b) {
  const Point one = center(grid, a);
  const Point other = center(grid, b);
  return std::abs(one.x - other.x) < 1.5 && std::abs(one.y - other.y) < 1.5;
}

struct Vote {
  Point to{};
  int weight = 0;  ///< 0: none
};

inline double vertex(int before, int at, int after) {
  const int bend = 2 * at - after - before;
  if (bend <= 0) return 0;
  return std::clamp((after - before) / (2.0 * bend), -0.5, 0.5);
}

inline Vote vote(const Table& table, const PatchGrid& from, const PatchGrid& to, std::size_t p,
                 bool parabola) {
  std::vector<int> of_column(to.size(), -1'000'000);
  for (const auto& row : table) {
    for (std::size_t u = 0; u < row.size(); ++u) of_column[u] = std::max(of_column[u], row[u]);
  }
  const std::vector<int>& row = table[p];
  std::size_t q = 0;
  for (std::size_t u = 1; u < row.size(); ++u) {
    if (2 * row[u] - of_column[u] > 2 * row[q] - of_column[q]) q = u;
  }
  int elsewhere = -32767;
  for (std::size_t u = 0; u < row.size(); ++u) {
    if (!is_around(to, u, q)) elsewhere = std::max(elsewhere, row[u]);
  }
  for (std::size_t other = 0; other < table.size(); ++other) {
    if (!is_around(from, other, p)) elsewhere = std::max(elsewhere, table[other][q]);
  }
  Vote result{.to = center(to, q), .weight = std::max(0, row[q] - elsewhere)};
  if (!parabola) return result;
  const std::size_t column = q % to.columns;
  const std::size_t line = q / to.columns;
  if (column > 0 && column + 1 < to.columns) result.to.x += vertex(row[q - 1], row[q], row[q + 1]);
  if (line > 0 && line + 1 < to.rows) {
    result.to.y += vertex(row[q - to.columns], row[q], row[q + to.columns]);
  }
  return result;
}

inline std::vector<Vote> votes(const Table& table, const PatchGrid& from, const PatchGrid& to,
                               bool parabola = true) {
  std::vector<Vote> result;
  for (std::size_t p = 0; p < table.size(); ++p) {
    result.push_back(vote(table, from, to, p, parabola));
  }
  return result;
}

inline double biweight(double squared, double scale) {
  const double rest = std::max(0.0, 1 - squared / (6 * scale * scale));
  return rest * rest;
}

inline double squared(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

struct Transform {
  double c = 1;
  double s = 0;
  Point b{};
  [[nodiscard]] Point operator()(Point u) const {
    return {c * u.x - s * u.y + b.x, s * u.x + c * u.y + b.y};
  }
};

inline Transform least_squares(const std::vector<Vote>& votes, const PatchGrid& from,
                               const std::vector<double>& weights, const Transform& before) {
  double total = 0;
  Point u{};
  Point g{};
  for (std::size_t p = 0; p < votes.size(); ++p) {
    const Point at = center(from, p);
    total += weights[p];
    u = {u.x + weights[p] * at.x, u.y + weights[p] * at.y};
    g = {g.x + weights[p] * votes[p].to.x, g.y + weights[p] * votes[p].to.y};
  }
  if (!(total > 0)) return before;
  u = {u.x / total, u.y / total};
  g = {g.x / total, g.y / total};
  double along = 0;
  double across = 0;
  double spread = 0;
  for (std::size_t p = 0; p < votes.size(); ++p) {
    const Point du{center(from, p).x - u.x, center(from, p).y - u.y};
    const Point dg{votes[p].to.x - g.x, votes[p].to.y - g.y};
    along += weights[p] * (dg.x * du.x + dg.y * du.y);
    across += weights[p] * (dg.y * du.x - dg.x * du.y);
    spread += weights[p] * (du.x * du.x + du.y * du.y);
  }
  const double pull = 2 * (0.3 * total);
  Transform result{.c = (along + pull) / (spread + pull), .s = across / (spread + pull)};
  const Point moved = result(u);
  result.b = {g.x - moved.x, g.y - moved.y};
  return result;
}

struct Estimate {
  double deviation = 0;
  std::vector<Vote> votes{};
  Transform transform{};
  std::vector<double> weights{};  ///< final ones, by patch
};

inline Estimate fit(std::vector<Vote> votes, const PatchGrid& from) {
  Estimate result{.votes = std::move(votes)};
  for (const Vote& one : result.votes) result.weights.push_back(one.weight);
  const auto weigh = [&](double scale) {
    for (std::size_t p = 0; p < result.votes.size(); ++p) {
      const double distance = squared(result.transform(center(from, p)), result.votes[p].to);
      result.weights[p] = result.votes[p].weight * biweight(distance, scale);
    }
  };
  result.transform = least_squares(result.votes, from, result.weights, result.transform);
  for (const double scale : {8.0, 4.0, 2.0, 1.0, 1.0}) {
    weigh(scale);
    result.transform = least_squares(result.votes, from, result.weights, result.transform);
  }
  weigh(1);
  return result;
}

inline Estimate estimate(const Image& from, const Image& to) {
  const Table table = similarities(from, to);
  Estimate result = fit(votes(table, from.grid, to.grid), from.grid);
  result.deviation = deviation(table);
  return result;
}

/// Where a landmark at `position` of the one image lies in the other.
inline Point project(const Estimate& estimate, const PatchGrid& from, Point position) {
  double sum = 0;
  Point residual{};
  double total = 0;
  std::size_t count = 0;
  for (std::size_t p = 0; p < estimate.votes.size(); ++p) {
    const double weight = estimate.weights[p];
    if (!(weight > 0)) continue;
    total += weight;
    ++count;
    const double local = biweight(squared(center(from, p), position), 1.5);
    const Point moved = estimate.transform(center(from, p));
    sum += local * weight;
    residual.x += local * (weight * (estimate.votes[p].to.x - moved.x));
    residual.y += local * (weight * (estimate.votes[p].to.y - moved.y));
  }
  Point place = estimate.transform(position);
  if (count == 0) return place;
  sum += 0.5 * (total / static_cast<double>(count));
  return {place.x + residual.x / sum, place.y + residual.y / sum};
}

/// A landmark of a reference image.
struct Landmark {
  std::size_t patch = 0;
  Point position{};
};

/// The score of every patch of `to` under one landmark of `from`.
inline std::vector<double> scores(const Image& from, const Landmark& landmark, const Image& to) {
  const Estimate found = estimate(from, to);
  const Point place = project(found, from.grid, landmark.position);
  std::vector<double> result;
  for (std::size_t y = 0; y < to.patches.rows(); ++y) {
    double cosine = 0;
    caos::kernels::dot_rows(to.patches.row(y).data(), 1, from.patches.row(landmark.patch).data(), 1,
                            to.patches.cols(), &cosine, 1);
    const double lacking = found.deviation > 0 ? std::max(0.0, 1 - cosine) / found.deviation : 0;
    result.push_back(lacking + 3 * std::min(squared(center(to.grid, y), place), 4.0));
  }
  return result;
}

}  // namespace geometry_oracle
