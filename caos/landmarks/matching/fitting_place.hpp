#pragma once

#include <vector>

#include "caos/backbone.hpp"

namespace caos {

/// Where a landmark lies by the estimate of one reference, and how much of its image takes part in
/// that (`GeometryEstimate::support`).
struct FittingPlace {
  double support = 0;
  vision::Point place{};
};

/// Where most of the references that fit best have it: the median of each coordinate over the five
/// of the largest support, of equal ones the earlier. Requires one place at least.
[[nodiscard]] vision::Point median_of_fitting(std::vector<FittingPlace> places);

/// An estimate, in patches, in pixels of the working image, within the grid of its patches.
[[nodiscard]] vision::Point point_of_estimate(vision::Point in_patches,
                                              const vision::PatchGrid& patches);

}  // namespace caos
