#pragma once

#include <string>

#include "caos/landmarks/points/point_error.hpp"

namespace caos::cli {

/// Errors of all landmarks together, by source and unit, and shares within tolerances.
[[nodiscard]] std::string point_error_table(const PointSummary& summary);

/// One row per landmark, in pixels, folded away.
[[nodiscard]] std::string point_landmark_table(const PointSummary& summary);

}  // namespace caos::cli
