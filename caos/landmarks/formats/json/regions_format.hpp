#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the proposals of a file that `caos landmarks predict --out regions.json` wrote, each with
/// its p-value as conformity. Regions and everything else are left out. Errors are bad_format with
/// the path of the element.
[[nodiscard]] LandmarkTable parse_regions(std::string_view text, const std::string& name);

}  // namespace caos::landmarks
