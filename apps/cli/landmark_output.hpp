#pragma once

#include <string>

#include "caos/engine/landmark_report.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `landmarks evaluate` prints.
struct LandmarkOutput {
  const LandmarkReport& report;
};

[[nodiscard]] Json to_json(const LandmarkOutput& output);
[[nodiscard]] std::string to_text(const LandmarkOutput& output);

}  // namespace caos::cli
