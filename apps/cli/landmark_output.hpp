#pragma once

#include "caos/engine/landmark_report.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `landmarks evaluate --json` prints.
[[nodiscard]] Json to_json(const LandmarkReport& report);

}  // namespace caos::cli
