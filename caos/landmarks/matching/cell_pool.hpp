#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/cells/cell_vectors.hpp"
#include "caos/landmarks/matching/patch_pools.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A landmark of a reference and where it is estimated to lie in an image, in patches.
struct PlacedReference {
  vision::Point place{};
  double deviation = 0;           ///< `GeometryEstimate::deviation`
  const float* vector = nullptr;  ///< at the landmark, unit length
};

/// The references of one landmark in one image whose labels are cells. Distances from estimates
/// need no vectors, and their terms are lower bounds on scores, so that vectors are read and
/// compared only where these bounds leave something open. For one thread at a time; what it is
/// given outlives it.
class CellPool {
 public:
  /// `side` is that of a cell, in patches.
  CellPool(std::vector<PlacedReference> references, CellVectors& vectors,
           const vision::PatchGrid& cells, double side, std::size_t dimension)
      : references_(std::move(references)),
        vectors_(vectors),
        cells_(cells),
        side_(side),
        dimension_(dimension) {}

  /// By cell, lower bounds on the k smallest scores, ascending: [cells, k].
  [[nodiscard]] Matrix<double> least(std::size_t k) const;

  /// The k smallest scores of a cell, ascending; of equal ones the earlier references.
  [[nodiscard]] std::vector<Neighbor> nearest(Label cell, std::size_t k) const;

 private:
  [[nodiscard]] vision::Point center(Label cell) const;
  [[nodiscard]] Score score(std::size_t reference, const float* own, double squared) const;

  std::vector<PlacedReference> references_;
  CellVectors& vectors_;
  vision::PatchGrid cells_;
  double side_;
  std::size_t dimension_;
};

/// Calls `visit` with each label whose center may be near a place, in patches, and its squared
/// distance; `side` is that of a label.
void visit_near(vision::Point place, const vision::PatchGrid& labels, double side,
                const std::function<void(Label, double)>& visit);

/// Keeps the smallest, ascending.
void keep_smallest(std::span<double> smallest, double value);

/// A sum of lower bounds, a little smaller than any rounding could make it.
[[nodiscard]] double least_sum(std::span<const double> bounds);

/// More than what a few roundings in double change, relative to sums of non-negative terms.
inline constexpr double rounding_slack = 1e-12;

}  // namespace caos
