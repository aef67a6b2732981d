#pragma once

#include <string>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// Test images with their landmarks coloured by set size: a row for SCOS, a row for CAOS, and a
/// legend with the share of landmarks of each colour. Each JPEG is in the page once.
[[nodiscard]] std::string landmark_image_grid(const Json& images);

}  // namespace caos::cli
