#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/studio/store/acceptance/acceptance_record.hpp"
#include "apps/studio/workbench/project_view.hpp"

namespace caos::studio {

/// Where accepting without review stands in a project, and what it is entitled to claim.
struct AcceptanceReport {
  std::optional<Acceptance> acceptance{};  ///< the last plan that was not discarded
  std::string why_none{};                  ///< why no plan can be made now; empty: one can
  std::size_t num_labeled = 0;             ///< images to divide into references and calibration
  std::size_t num_candidates = 0;          ///< of a plan that would be made now
  bool has_guarantee = false;              ///< FDR; else none
  bool by_design = false;                  ///< the studio saw to all that the guarantee needs
  std::string no_guarantee{};              ///< the reason
  std::string claim{};                     ///< in a sentence
  std::string assumption{};
  std::string warning{};  ///< too few calibration images for q
};

/// What the last of the plans says. `now` is what could be accepted now.
[[nodiscard]] AcceptanceReport report_of(const ProjectView& view,
                                         const std::vector<Acceptance>& plans,
                                         const CandidateImages& now);

/// The images to divide, in the random order: those of the sample that calibrate.
[[nodiscard]] std::vector<Id> images_to_divide(const ProjectView& view);

/// A fingerprint of all that proposals and their errors are made of.
[[nodiscard]] std::string labels_fingerprint(const ProjectView& view, const std::string& backbone);

}  // namespace caos::studio
