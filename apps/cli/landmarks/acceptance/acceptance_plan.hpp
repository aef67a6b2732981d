#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/program.hpp"
#include "caos/selection.hpp"

namespace caos::cli {

/// What 'landmarks accept' fixed when it first ran with a plan file, so that later runs can tell
/// what changed.
struct AcceptancePlan {
  std::string tolerance{};                ///< as typed
  std::string fdr{};                      ///< q as a plain decimal
  std::string scales{};                   ///< SHA-256 of the scales; empty unless in millimeters
  std::string labeled{};                  ///< SHA-256 of the labeled images' names and landmarks
  std::string proposals{};                ///< SHA-256 of references, k, score and embedding
  std::vector<std::string> candidates{};  ///< names of the candidate images, sorted
  std::string contents{};                 ///< SHA-256 of the contents of these images

  friend bool operator==(const AcceptancePlan&, const AcceptancePlan&) = default;
};

[[nodiscard]] Json to_json(const AcceptancePlan& plan);

/// Reads a plan from the text of `file`. Throws `bad_format` for anything but a plan.
[[nodiscard]] AcceptancePlan read_acceptance_plan(const std::string& file, std::string_view text);

/// What changed since the plan was made. `labeled` are the names of the images that have labels
/// now: a planned candidate among them was reviewed.
[[nodiscard]] selection::History changes_since(const AcceptancePlan& planned,
                                               const AcceptancePlan& now,
                                               std::span<const std::string> labeled);

}  // namespace caos::cli
