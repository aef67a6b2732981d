#include "caos/landmarks/matching/image_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "caos/kernels/coarse.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/landmarks/matching/fitting_place.hpp"

namespace caos {
namespace {

constexpr double similarity_unit = 1.0 / kernels::coarse_one;

}  // namespace

ImageGeometry::ImageGeometry(const GeometryReferences& references,
                             std::span<const std::size_t> used, const QueryImage& image)
    : references_(references),
      patches_(image.patches),
      grid_(image.grid),
      rotations_(references.labeled().size()),
      deviations_(references.labeled().size()),
      supports_(references.labeled().size()),
      inverses_(references.num_columns()),
      places_(references.labeled().size(), references.labeled().num_tasks()) {
  const vision::PatchGrid& patch_grid = image.cells == nullptr ? grid_ : image.cells->patches;
  if (image.cells == nullptr) {
    similarities_ = Matrix<std::int16_t>(references.num_columns(), patches_.rows());
  } else {
    side_ = side_in_patches(grid_, patch_grid);
    cells_ = std::make_unique<CellVectors>(*image.cells, patches_, grid_);
  }
  const TargetPatches target(patches_, patch_grid);
  // One more, so that no rounding in double matters.
  error_ = coarse_error(target.largest_error(), references.largest_error()) + 1;
  RotationChoice choice;
  for (const std::size_t j : used) {
    const auto [estimate, rotation] = choice.best(references, j, target);
    rotations_[j] = rotation;
    deviations_[j] = estimate.deviation();
    supports_[j] = estimate.support();
    for (std::size_t t = 0; t < places_.cols(); ++t) {
      if (!references.has(j, t)) continue;
      places_(j, t) = estimate.project(references.landmark(j, t, rotation));
    }
    const auto [first, last] = references.columns_of(j);
    for (std::size_t c = first; c < last; ++c) {
      if (!has_cells()) {
        choice.similarities().copy_row(references.patch_of(c, rotation), similarities_.row(c));
      }
      inverses_[c] = deviations_[j] > 0 ? 1 / deviations_[j] : 0;
    }
  }
}

/// `descriptor_term` within a rounding or two, for which there is slack.
double ImageGeometry::descriptor_bound(std::uint32_t column, int similarity) const {
  return std::max(1 - similarity * similarity_unit, 0.0) * inverses_[column];
}

double ImageGeometry::low(std::uint32_t column, Label patch, double squared) const {
  if (has_cells()) return distance_term(squared);
  const int similarity = similarities_(column, patch);
  return (descriptor_bound(column, similarity + error_) + distance_term(squared)) *
         (1 - rounding_slack);
}

ImageGeometry::Bounds ImageGeometry::bounds(std::uint32_t column, Label patch,
                                            double squared) const {
  if (has_cells()) return {low(column, patch, squared), std::numeric_limits<double>::infinity()};
  const int similarity = similarities_(column, patch);
  return {.low = low(column, patch, squared),
          .high = (descriptor_bound(column, similarity - error_) + distance_term(squared)) *
                  (1 + rounding_slack)};
}

Score ImageGeometry::score(std::uint32_t column, Label patch, double squared) const {
  const float* const own = has_cells() ? cells_->at(patch) : patches_.row(patch).data();
  const float* const reference = references_.patch(column, rotation(column));
  double similarity = 0;
  kernels::dot_pairs(&own, &reference, 1, patches_.cols(), &similarity);
  return descriptor_term(similarity, deviations_[references_.column(column).image]) +
         distance_term(squared);
}

GeometryPool::GeometryPool(const ImageGeometry& image, std::size_t task,
                           std::span<const std::uint32_t> columns)
    : image_(image), task_(task), columns_(columns) {
  if (!image.has_cells()) return;
  std::vector<PlacedReference> references;
  for (const std::uint32_t column : columns) references.push_back(image.placed(task, column));
  cells_.emplace(std::move(references), image.cell_vectors(), image.grid(), image.side(),
                 image.dimension());
}

/// Patches that are far from an estimate score at least `far_term` under it.
Matrix<double> GeometryPool::least(std::size_t k) const {
  if (cells_) return cells_->least(k);
  Matrix<double> smallest(image_.grid().size(), k, far_term * (1 - rounding_slack));
  for (const std::uint32_t column : columns_) {
    visit_near(image_.place(task_, column), image_.grid(), image_.side(),
               [&](Label patch, double squared) {
                 const std::span<double> of_patch = smallest.row(patch);
                 if (distance_term(squared) >= of_patch.back()) return;
                 keep_smallest(of_patch, image_.low(column, patch, squared));
               });
  }
  return smallest;
}

std::vector<Neighbor> GeometryPool::nearest_of_patch(Label patch, std::size_t k) const {
  std::vector<double> smallest(k, std::numeric_limits<double>::infinity());
  std::vector<double> low(columns_.size(), std::numeric_limits<double>::infinity());
  const vision::Point center = image_.center(patch);
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    const double squared = squared_distance(center, image_.place(task_, columns_[p]));
    // Scores are at least their second term: this one is not among the smallest.
    if (distance_term(squared) * (1 - rounding_slack) > smallest.back()) continue;
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

vision::Point GeometryPool::median_place() const {
  std::vector<FittingPlace> places;
  for (const std::uint32_t column : columns_) {
    places.push_back({.support = image_.support(column), .place = image_.place(task_, column)});
  }
  return median_of_fitting(std::move(places));
}

}  // namespace caos
