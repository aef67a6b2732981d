#include "caos/landmarks/matching/cell_pool.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "caos/kernels/dot.hpp"
#include "caos/landmarks/geometry/geometry_estimate.hpp"
#include "caos/numerics/keep_smallest.hpp"

namespace caos {
namespace {

/// References that are compared at once: as many dot products run side by side.
constexpr std::size_t at_once = 6;

}  // namespace

struct CellPool::Work {
  const float* own = nullptr;
  std::vector<double> squared{};         ///< by position
  std::vector<std::uint32_t> waiting{};  ///< positions that are not compared yet
  std::vector<double> smallest{};        ///< the k smallest scores so far
  std::vector<Neighbor> found{};
};

CellPool::CellPool(std::vector<PlacedReference> references, CellVectors& vectors,
                   const vision::PatchGrid& cells, double side, std::size_t dimension)
    : references_(std::move(references)),
      vectors_(vectors),
      cells_(cells),
      side_(side),
      dimension_(dimension) {
  for (const PlacedReference& reference : references_) {
    x_.push_back(reference.place.x);
    y_.push_back(reference.place.y);
  }
}

LabelBounds CellPool::bounds(std::size_t k) const {
  std::vector<kernels::PlacedTerms> terms;
  for (const PlacedReference& reference : references_) {
    terms.push_back({.x = reference.place.x, .y = reference.place.y});
  }
  return {cells_, side_, terms, k};
}

/// Those that wait, whatever their distance.
void CellPool::compare(Work& work) const {
  const std::size_t count = work.waiting.size();
  const std::vector<const float*> own(count, work.own);
  std::vector<const float*> theirs;
  for (const std::uint32_t p : work.waiting) theirs.push_back(references_[p].vector);
  std::vector<double> similarities(count);
  kernels::dot_pairs(own.data(), theirs.data(), count, dimension_, similarities.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t p = work.waiting[i];
    const Score score =
        descriptor_term(similarities[i], references_[p].deviation) + distance_term(work.squared[p]);
    work.found.push_back({.score = score, .position = p});
    keep_smallest(std::span(work.smallest), score);
  }
  work.waiting.clear();
}

/// References whose second term alone exceeds the k-th smallest score so far are not compared, and
/// the k nearest come first, so that these are many.
std::vector<Neighbor> CellPool::nearest(Label cell, std::size_t k) const {
  const vision::Point at = center_of(cells_, cell);
  const vision::Point center{.x = at.x * side_, .y = at.y * side_};
  const std::size_t count = references_.size();
  Work work{.own = vectors_.at(cell), .squared = std::vector<double>(count)};
  for (std::size_t p = 0; p < count; ++p) {
    work.squared[p] = squared_distance(center, {.x = x_[p], .y = y_[p]});
  }
  work.smallest.assign(k, std::numeric_limits<double>::infinity());
  std::vector<double> nearest = work.smallest;
  for (const double squared : work.squared) keep_smallest(std::span(nearest), squared);
  for (std::uint32_t p = 0; p < count; ++p) {
    if (work.squared[p] <= nearest.back()) work.waiting.push_back(p);
  }
  compare(work);
  for (std::uint32_t p = 0; p < count; ++p) {
    if (work.squared[p] <= nearest.back()) continue;
    if (distance_term(work.squared[p]) > work.smallest.back()) continue;
    work.waiting.push_back(p);
    if (work.waiting.size() == at_once) compare(work);
  }
  compare(work);
  std::ranges::partial_sort(work.found, work.found.begin() + static_cast<std::ptrdiff_t>(k));
  work.found.resize(k);
  return std::move(work.found);
}

}  // namespace caos
