#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/cells/cell_vectors.hpp"
#include "caos/landmarks/matching/label_bounds.hpp"
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
           const vision::PatchGrid& cells, double side, std::size_t dimension);

  /// Lower bounds of the sums of the k smallest scores.
  [[nodiscard]] LabelBounds bounds(std::size_t k) const;

  /// The k smallest scores of a cell, ascending; of equal ones the earlier references.
  [[nodiscard]] std::vector<Neighbor> nearest(Label cell, std::size_t k) const;

 private:
  /// What is being compared with one cell.
  struct Work;

  void compare(Work& work) const;

  std::vector<PlacedReference> references_;
  std::vector<double> x_;  ///< of the places
  std::vector<double> y_;
  CellVectors& vectors_;
  vision::PatchGrid cells_;
  double side_;
  std::size_t dimension_;
};

}  // namespace caos
