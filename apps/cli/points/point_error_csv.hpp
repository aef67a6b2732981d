#pragma once

#include <vector>

#include "apps/cli/experiments/csv_text.hpp"
#include "caos/landmarks/points/point_error.hpp"

namespace caos::cli {

/// A line for every source and unit, of all landmarks together (an empty name), then of each.
/// Shares within tolerances stand in the lines in pixels.
[[nodiscard]] std::vector<CsvLine> point_error_lines(const PointSummary& summary);

}  // namespace caos::cli
