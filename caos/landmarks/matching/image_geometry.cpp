#include "caos/landmarks/matching/image_geometry.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "caos/kernels/coarse.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/landmarks/matching/fitting_place.hpp"
#include "caos/numerics/keep_smallest.hpp"

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
    stride_ = patches_.rows() + kernels::near_padding;
    similarities_.reserve(references.num_columns() * stride_);
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
    references.place(estimate, j, rotation, places_.row(j));
    const auto [first, last] = references.columns_of(j);
    for (std::size_t c = first; c < last; ++c) {
      if (!has_cells()) {
        std::int16_t* const row = similarities_.data() + c * stride_;
        choice.similarities().copy_row(references.patch_of(c, rotation), {row, patches_.rows()});
        std::fill_n(row + patches_.rows(), kernels::near_padding, std::int16_t{0});
      }
      inverses_[c] = deviations_[j] > 0 ? 1 / deviations_[j] : 0;
    }
  }
}

/// `descriptor_term` within a rounding or two, for which there is slack.
double ImageGeometry::descriptor_bound(std::uint32_t column, int similarity) const {
  return std::max(1 - similarity * similarity_unit, 0.0) * inverses_[column];
}

ImageGeometry::Bounds ImageGeometry::bounds(std::uint32_t column, Label patch,
                                            double squared) const {
  const double distance = distance_term(squared);
  if (has_cells()) return {distance, std::numeric_limits<double>::infinity()};
  const int similarity = similarities_.data()[column * stride_ + patch];
  return {
      .low = (descriptor_bound(column, similarity + error_) + distance) * (1 - kernels::near_slack),
      .high =
          (descriptor_bound(column, similarity - error_) + distance) * (1 + kernels::near_slack)};
}

void ImageGeometry::scores(std::size_t task, std::span<const std::uint32_t> columns, Label patch,
                           Score* out) const {
  const std::vector<const float*> own(columns.size(),
                                      has_cells() ? cells_->at(patch) : patches_.row(patch).data());
  std::vector<const float*> theirs;
  for (const std::uint32_t column : columns) {
    theirs.push_back(references_.patch(column, rotation(column)));
  }
  kernels::dot_pairs(own.data(), theirs.data(), columns.size(), patches_.cols(), out);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double deviation = deviations_[references_.column(columns[i]).image];
    out[i] = descriptor_term(out[i], deviation) +
             distance_term(squared_distance_to(task, columns[i], patch));
  }
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

LabelBounds GeometryPool::bounds(std::size_t k) const {
  if (cells_) return cells_->bounds(k);
  std::vector<kernels::PlacedTerms> terms;
  terms.reserve(columns_.size());
  for (const std::uint32_t column : columns_) terms.push_back(image_.terms(task_, column));
  return {image_.grid(), image_.side(), terms, k, image_.error()};
}

std::vector<Neighbor> GeometryPool::nearest_of_patch(Label patch, std::size_t k) const {
  std::vector<double> smallest(k, std::numeric_limits<double>::infinity());
  std::vector<double> low(columns_.size(), std::numeric_limits<double>::infinity());
  const vision::Point center = image_.center(patch);
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    const double squared = squared_distance(center, image_.place(task_, columns_[p]));
    // Scores are at least their second term: this one is not among the smallest.
    if (distance_term(squared) * (1 - kernels::near_slack) > smallest.back()) continue;
    const ImageGeometry::Bounds bounds = image_.bounds(columns_[p], patch, squared);
    low[p] = bounds.low;
    keep_smallest(std::span(smallest), bounds.high);
  }
  std::vector<Neighbor> found;
  std::vector<std::uint32_t> columns;
  for (std::uint32_t p = 0; p < columns_.size(); ++p) {
    if (low[p] > smallest.back()) continue;
    found.push_back({.score = 0, .position = p});
    columns.push_back(columns_[p]);
  }
  std::vector<Score> scores(columns.size());
  image_.scores(task_, columns, patch, scores.data());
  for (std::size_t i = 0; i < found.size(); ++i) found[i].score = scores[i];
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
