#pragma once

#include <string>

#include "apps/cli/program.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::cli {

/// What people want to know about a landmark model.
struct LandmarkModelOutput {
  std::string file;
  const LandmarkModel& model;
};

[[nodiscard]] Json to_json(const LandmarkModelOutput& output);
[[nodiscard]] std::string to_text(const LandmarkModelOutput& output);

}  // namespace caos::cli
