#pragma once

#include "apps/predictions/json_text.hpp"
#include "caos/landmarks/points/point_error.hpp"

namespace caos::cli {

/// The field `point_errors` of evaluations and experiments (docs/reference/formats.md).
[[nodiscard]] predictions::Json to_json(const PointSummary& summary);

}  // namespace caos::cli
