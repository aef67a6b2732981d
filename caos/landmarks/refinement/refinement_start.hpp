#pragma once

#include <vector>

#include "caos/landmarks/refinement/point_refiner.hpp"

// Where refinement begins for scores that estimate a place, and with cells as labels.
namespace caos {

/// An estimate, in patches, in pixels of the working image, within the grid of its patches.
[[nodiscard]] vision::Point estimated_start(vision::Point in_patches,
                                            const vision::PatchGrid& patches);

/// Patches of padding: those that hold no pixel.
[[nodiscard]] std::vector<Label> patches_beyond(const ImagePixels& pixels);

}  // namespace caos
