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

/// For whom a landmark's guarantee is, beyond the words that every result has.
[[nodiscard]] std::string guarantee_is_for(bool by_subject, bool simultaneous = false);

}  // namespace caos::cli
