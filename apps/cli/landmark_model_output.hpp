#pragma once

#include <string>

#include "caos/engine/landmark_model.hpp"
#include "program.hpp"

namespace caos::cli {

/// What people want to know about a landmark model.
struct LandmarkModelOutput {
  std::string file;
  const LandmarkModel& model;
};

[[nodiscard]] Json to_json(const LandmarkModelOutput& output);
[[nodiscard]] std::string to_text(const LandmarkModelOutput& output);

}  // namespace caos::cli
