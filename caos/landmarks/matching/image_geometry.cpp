#include "caos/landmarks/matching/image_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "caos/kernels/coarse.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

/// More than what a few roundings in double change, relative to sums of non-negative terms.
constexpr double slack = 1e-12;

constexpr double similarity_unit = 1.0 / kernels::coarse_one;

/// First and last (not included) place of a row or column of patches whose centers are near.
struct Window {
  Window(double place, std::size_t size) {
    const double low = std::ceil(place - near_distance - 0.5);
    const double high = std::floor(place + near_distance - 0.5) + 1;
    const auto most = static_cast<double>(size);
    first = static_cast<std::size_t>(std::clamp(low, 0.0, most));
    last = static_cast<std::size_t>(std::clamp(high, 0.0, most));
  }
  std::size_t first;
  std::size_t last;
};

/// Keeps the smallest, ascending.
void keep_smallest(std::span<double> smallest, double value) {
  if (value >= smallest.back()) return;
  std::size_t place = smallest.size() - 1;
  for (; place > 0 && smallest[place - 1] > value; --place) smallest[place] = smallest[place - 1];
  smallest[place] = value;
}

}  // namespace

ImageGeometry::ImageGeometry(const GeometryReferences& references,
                             std::span<const std::size_t> used, MatrixView<const float> patches,
                             const vision::PatchGrid& grid)
    : references_(references),
      patches_(patches),
      grid_(grid),
      deviations_(references.labeled().size()),
      inverses_(references.num_columns()),
      places_(references.labeled().size(), references.labeled().num_tasks()),
      similarities_(references.num_columns(), patches.rows()) {
  const TargetPatches target(patches, grid);
  // One more, so that no rounding in double matters.
  error_ = coarse_error(target.largest_error(), references.largest_error()) + 1;
  PatchSimilarities scratch;
  for (const std::size_t j : used) {
    const GeometryEstimate estimate = estimate_geometry(references.anchors(j), target, scratch);
    deviations_[j] = estimate.deviation();
    for (std::size_t t = 0; t < places_.cols(); ++t) {
      if (references.has(j, t)) places_(j, t) = estimate.project(references.landmark(j, t));
    }
    const auto [first, last] = references.columns_of(j);
    for (std::size_t c = first; c < last; ++c) {
      scratch.copy_row(references.column(c).patch, similarities_.row(c));
      inverses_[c] = deviations_[j] > 0 ? 1 / deviations_[j] : 0;
    }
  }
}

/// `descriptor_term` within a rounding or two, for which there is slack.
double ImageGeometry::descriptor_bound(std::uint32_t column, int similarity) const {
  return std::max(1 - similarity * similarity_unit, 0.0) * inverses_[column];
}

double ImageGeometry::low(std::uint32_t column, Label patch, double squared) const {
  const int similarity = similarities_(column, patch);
  return (descriptor_bound(column, similarity + error_) + distance_term(squared)) * (1 - slack);
}

ImageGeometry::Bounds ImageGeometry::bounds(std::uint32_t column, Label patch,
                                            double squared) const {
  const int similarity = similarities_(column, patch);
  return {.low = low(column, patch, squared),
          .high = (descriptor_bound(column, similarity - error_) + distance_term(squared)) *
                  (1 + slack)};
}

Score ImageGeometry::score(std::size_t task, std::uint32_t column, Label patch) const {
  const float* const own = patches_.row(patch).data();
  const float* const reference = references_.patch(column);
  double similarity = 0;
  kernels::dot_pairs(&own, &reference, 1, patches_.cols(), &similarity);
  return descriptor_term(similarity, deviations_[references_.column(column).image]) +
         distance_term(squared_distance_to(task, column, patch));
}

/// Patches that are far from an estimate score at least `far_term` under it.
Matrix<double> GeometryPool::least(std::size_t k) const {
  const vision::PatchGrid& grid = image_.grid();
  Matrix<double> smallest(grid.size(), k, far_term * (1 - slack));
  for (const std::uint32_t column : columns_) {
    const vision::Point place = image_.place(task_, column);
    const Window rows(place.y, grid.rows);
    const Window columns(place.x, grid.columns);
    for (std::size_t r = rows.first; r < rows.last; ++r) {
      for (std::size_t c = columns.first; c < columns.last; ++c) {
        const Label patch = r * grid.columns + c;
        const double x = static_cast<double>(c) + 0.5 - place.x;
        const double y = static_cast<double>(r) + 0.5 - place.y;
        const double squared = x * x + y * y;
        const std::span<double> of_patch = smallest.row(patch);
        if (distance_term(squared) >= of_patch.back()) continue;
        keep_smallest(of_patch, image_.low(column, patch, squared));
      }
    }
  }
  return smallest;
}

std::vector<Neighbor> GeometryPool::nearest(Label patch, std::size_t k) const {
  std::vector<double> smallest(k, std::numeric_limits<double>::infinity());
  std::vector<double> low(columns_.size(), std::numeric_limits<double>::infinity());
  const vision::Point center = center_of(image_.grid(), patch);
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    const double squared = squared_distance(center, image_.place(task_, columns_[p]));
    // Scores are at least their second term: this one is not among the smallest.
    if (distance_term(squared) * (1 - slack) > smallest.back()) continue;
    const ImageGeometry::Bounds bounds = image_.bounds(columns_[p], patch, squared);
    low[p] = bounds.low;
    keep_smallest(smallest, bounds.high);
  }
  std::vector<Neighbor> found;
  for (std::uint32_t p = 0; p < columns_.size(); ++p) {
    if (low[p] > smallest.back()) continue;
    found.push_back({.score = image_.score(task_, columns_[p], patch), .position = p});
  }
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(k));
  found.resize(k);
  return found;
}

double least_sum(std::span<const double> bounds) {
  double sum = 0;
  for (const double bound : bounds) sum += bound;
  return sum * (1 - slack);
}

}  // namespace caos
