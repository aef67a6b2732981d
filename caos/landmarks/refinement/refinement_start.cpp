#include "caos/landmarks/refinement/refinement_start.hpp"

#include <algorithm>

namespace caos {

vision::Point estimated_start(vision::Point in_patches, const vision::PatchGrid& patches) {
  const auto side = static_cast<double>(patches.patch_size);
  return {.x = std::clamp(in_patches.x, 0.0, static_cast<double>(patches.columns)) * side,
          .y = std::clamp(in_patches.y, 0.0, static_cast<double>(patches.rows)) * side};
}

std::vector<Label> patches_beyond(const ImagePixels& pixels) {
  std::vector<Label> beyond;
  for (Label y = 0; y < pixels.grid.size(); ++y) {
    const vision::Point corner = pixels.grid.corner(y);
    if (corner.x >= static_cast<double>(pixels.gray.cols()) ||
        corner.y >= static_cast<double>(pixels.gray.rows())) {
      beyond.push_back(y);
    }
  }
  return beyond;
}

}  // namespace caos
