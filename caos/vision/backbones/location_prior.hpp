#pragma once

#include "caos/backbone.hpp"
#include "caos/scores.hpp"

namespace caos::vision {

/// How much a patch's place in the image says about it. For aligned images only, such as crops with
/// the eyes at fixed points. Fixed before the data are seen, so the guarantee holds.
struct LocationPrior {
  double sigma = 24;     ///< pixels; positive
  double weight = 0.25;  ///< the share of the place in the cosine, from 0 to 1

  friend bool operator==(const LocationPrior&, const LocationPrior&) = default;
};

/// The embeddings [patches, D] with their places appended: each row scaled to length
/// sqrt(1 - weight), then a code of length sqrt(weight) for the place of the patch's center, the
/// values of Gaussian bumps that stand every 32 pixels from -48 to the grid's size + 48.
/// For 192 x 224 pixels that makes D + 110 columns. Rows of zeros stay zero.
/// Requires one row per patch of the grid.
[[nodiscard]] Matrix<float> with_location(const Matrix<float>& embeddings, const PatchGrid& grid,
                                          const LocationPrior& prior = {});

}  // namespace caos::vision
