#pragma once

#include <cstddef>
#include <vector>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/scores.hpp"

namespace caos {

/// As `nearest_patches`, for margin and softmax (`competes_coarsely`). A score depends on all
/// patches of the image, but some of them bound it from below; which references can be among the
/// nearest is found from the patches around the landmark, and all are compared with those alone.
[[nodiscard]] std::vector<Matrix<Score>> nearest_competing(const LabeledPatches& labeled,
                                                           const ReferencePatches& references,
                                                           const PatchScore& score,
                                                           const Indices& calibrating,
                                                           std::size_t k, std::size_t threads);

}  // namespace caos
