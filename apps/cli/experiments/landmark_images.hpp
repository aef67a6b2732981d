#pragma once

#include <string>
#include <vector>

#include "apps/cli/experiments/landmark_results.hpp"

namespace caos::cli {

/// Test images with their landmarks colored by set size: a row for SCOS, a row for CAOS, and a
/// legend with the share of landmarks of each color. Each JPEG is in the page once.
[[nodiscard]] std::string landmark_image_grid(const std::vector<LandmarkImage>& images);

}  // namespace caos::cli
