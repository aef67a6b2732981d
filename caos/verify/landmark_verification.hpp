#pragma once

#include "caos/landmarks/evaluation/landmark_splits.hpp"
#include "caos/verify/landmark_answers.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// A quarter of the images, or subjects, is tested where `test_size` is 0, and 100 at most; of the
/// others 100 at most are labeled.
[[nodiscard]] SplitSizes verification_sizes(std::size_t count, std::size_t test_size);

/// Leave-out trials of every method on every landmark, of all landmarks at once, and the
/// identities. Whole subjects are left out where they have several images. Throws `invalid_input`
/// where the images are too few for k or the split.
[[nodiscard]] Verification verify_landmarks(const LabeledPatches& images, const PatchScore& score,
                                            const VerifyOptions& options,
                                            const LandmarkAnswerer& answerer = answer_landmarks);

}  // namespace caos
