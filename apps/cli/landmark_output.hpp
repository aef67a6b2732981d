#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/engine/landmark_evaluation.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `landmarks evaluate` found.
struct LandmarkOutput {
  std::size_t num_labeled = 0;
  std::size_t num_test = 0;
  std::vector<std::string> landmarks{};
  std::vector<std::string> left_out{};  ///< landmarks with too few images for k
  std::size_t k = 0;
  PatchScore score{};
  bool own_parameter = false;  ///< the score's parameter is not the default
  bool by_subject = false;
  LandmarkEvaluation evaluation{};
};

[[nodiscard]] Json to_json(const LandmarkOutput& output);
[[nodiscard]] std::string to_text(const LandmarkOutput& output);

}  // namespace caos::cli
