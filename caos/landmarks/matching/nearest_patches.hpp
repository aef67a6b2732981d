#pragma once

#include <cstddef>
#include <vector>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Each calibrating image's k smallest cosine scores under the images of other subjects, ascending:
/// [calibrating images that have the landmark, k] for each task. The same bits as from all scores,
/// at a fraction of the work, in memory that grows with n and not with its square.
/// `coarse` are the coarse rows of `references.patches`. Requires k <= largest_k for every task.
[[nodiscard]] std::vector<Matrix<Score>> nearest_patches(const LabeledPatches& labeled,
                                                         const ReferencePatches& references,
                                                         const CoarseRows& coarse,
                                                         const Indices& calibrating, std::size_t k,
                                                         std::size_t threads);

}  // namespace caos
