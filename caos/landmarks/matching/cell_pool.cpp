#include "caos/landmarks/matching/cell_pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "caos/kernels/dot.hpp"
#include "caos/landmarks/geometry/geometry_estimate.hpp"

namespace caos {
namespace {

/// First and last (not included) place of a row or column of labels whose centers are near. More of
/// them do no harm, so that roundings need no care.
struct Window {
  Window(double place, double side, std::size_t size) {
    const double low = std::ceil((place - near_distance) / side - 0.5);
    const double high = std::floor((place + near_distance) / side - 0.5) + 1;
    const auto most = static_cast<double>(size);
    first = static_cast<std::size_t>(std::clamp(low, 0.0, most));
    last = static_cast<std::size_t>(std::clamp(high, 0.0, most));
  }
  std::size_t first;
  std::size_t last;
};

vision::Point scaled_center(const vision::PatchGrid& labels, Label label, double side) {
  const vision::Point at = center_of(labels, label);
  return {.x = at.x * side, .y = at.y * side};
}

}  // namespace

void visit_near(vision::Point place, const vision::PatchGrid& labels, double side,
                const std::function<void(Label, double)>& visit) {
  const Window rows(place.y, side, labels.rows);
  const Window columns(place.x, side, labels.columns);
  for (std::size_t r = rows.first; r < rows.last; ++r) {
    for (std::size_t c = columns.first; c < columns.last; ++c) {
      const Label label = r * labels.columns + c;
      visit(label, squared_distance(scaled_center(labels, label, side), place));
    }
  }
}

void keep_smallest(std::span<double> smallest, double value) {
  if (value >= smallest.back()) return;
  std::size_t place = smallest.size() - 1;
  for (; place > 0 && smallest[place - 1] > value; --place) smallest[place] = smallest[place - 1];
  smallest[place] = value;
}

double least_sum(std::span<const double> bounds) {
  double sum = 0;
  for (const double bound : bounds) sum += bound;
  return sum * (1 - rounding_slack);
}

vision::Point CellPool::center(Label cell) const { return scaled_center(cells_, cell, side_); }

/// Cells that are far from an estimate score at least `far_term` under it.
Matrix<double> CellPool::least(std::size_t k) const {
  Matrix<double> smallest(cells_.size(), k, far_term);
  for (const PlacedReference& reference : references_) {
    visit_near(reference.place, cells_, side_, [&](Label cell, double squared) {
      keep_smallest(smallest.row(cell), distance_term(squared));
    });
  }
  return smallest;
}

Score CellPool::score(std::size_t reference, const float* own, double squared) const {
  const PlacedReference& one = references_[reference];
  double similarity = 0;
  kernels::dot_pairs(&own, &one.vector, 1, dimension_, &similarity);
  return descriptor_term(similarity, one.deviation) + distance_term(squared);
}

/// References whose second term alone exceeds the k-th smallest score so far are not compared, and
/// those with the smallest terms come first, so that these are many.
std::vector<Neighbor> CellPool::nearest(Label cell, std::size_t k) const {
  const vision::Point at = center(cell);
  std::vector<std::pair<double, std::uint32_t>> order;  // squared distance, position
  order.reserve(references_.size());
  for (std::uint32_t p = 0; p < references_.size(); ++p) {
    order.emplace_back(squared_distance(at, references_[p].place), p);
  }
  const auto last = static_cast<std::ptrdiff_t>(k);
  std::ranges::nth_element(order, order.begin() + last - 1);
  const float* const own = vectors_.at(cell);
  std::vector<double> smallest(k, std::numeric_limits<double>::infinity());
  std::vector<Neighbor> found;
  for (const auto& [squared, position] : order) {
    if (distance_term(squared) > smallest.back()) continue;
    const Score value = score(position, own, squared);
    found.push_back({.score = value, .position = position});
    keep_smallest(smallest, value);
  }
  std::ranges::partial_sort(found, found.begin() + last);
  found.resize(k);
  return found;
}

}  // namespace caos
