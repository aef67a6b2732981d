#pragma once

#include "apps/cli/program.hpp"
#include "caos/landmarks/evaluation/landmark_summary.hpp"

namespace caos::cli {

/// What `landmarks evaluate --json` prints.
[[nodiscard]] Json to_json(const LandmarkReport& report);

}  // namespace caos::cli
