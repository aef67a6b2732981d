#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/landmarks/acceptance/acceptance_candidates.hpp"
#include "apps/cli/landmarks/acceptance/acceptance_output.hpp"
#include "apps/cli/landmarks/acceptance/acceptance_plan.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/split.hpp"

namespace caos::cli {

/// The labeled images and what else is known before anything is proposed.
struct AcceptanceInputs {
  AnnotatedImages images;
  landmarks::LandmarkTable table;
  Candidates candidates{};
  bool subjects_known = false;
  std::vector<std::optional<double>> scales{};  ///< by labeled image
  split::Partition division{};
  EmbeddingRecord embedding{};
};

/// What a plan fixes, as it is now.
[[nodiscard]] AcceptancePlan plan_of(const AcceptanceResult& result, const AcceptanceInputs& inputs,
                                     const LandmarkCalibrateOptions& how);

/// Compares with the plan in `file`, or writes it there if the file does not exist.
[[nodiscard]] Guarantee planned_guarantee(const std::string& file, const AcceptancePlan& now,
                                          const AnnotatedImages& images);

}  // namespace caos::cli
