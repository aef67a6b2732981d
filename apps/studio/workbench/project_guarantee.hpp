#pragma once

#include <string>
#include <vector>

#include "apps/studio/workbench/project_view.hpp"
#include "apps/studio/workbench/workbench.hpp"

namespace caos::studio {

/// "restored from a backup of 2026-01-31". Requires that it was.
[[nodiscard]] std::string backup_words(const Integrity& integrity);

/// What the regions of a project guarantee, and under which assumption; or why nothing.
[[nodiscard]] ProjectGuarantee guarantee_of(const ProjectView& view, bool simultaneous);

/// The same of one image outside of the sample: an image that came after the draw, or whose subject
/// was labeled, is not one that the draw speaks of.
[[nodiscard]] ProjectGuarantee guarantee_of(const ProjectView& view, const ImageCard& card,
                                            bool simultaneous);

/// Why the sample is not labeled whole and without a choice, whatever the target; empty: it is.
[[nodiscard]] std::string why_sample_unfit(const ProjectView& view);
/// What is taken on trust of a sample that the project drew, one condition each.
[[nodiscard]] std::vector<std::string> trusted_of_sample(const ProjectView& view);

}  // namespace caos::studio
