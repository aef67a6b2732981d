#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_record.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::studio {

/// What deciding on a plan takes, free of the project, so that others may change that meanwhile.
/// Decides as `caos landmarks accept` does: the first labeled images of the random order propose,
/// the others calibrate, and accepted points come from the former alone.
struct AcceptanceJob {
  Acceptance plan{};
  std::string labels{};  ///< fingerprint of the labels below
  std::string folder{};  ///< of image files
  /// Labeled images in the random order; each called by its file, with its scale.
  landmarks::LandmarkTable labeled{};
  std::vector<std::string> names{};  ///< of these, for errors
  std::unique_ptr<PatchSource> source{};
  EmbeddingRecord embedding{};
  LandmarkCalibrateOptions options{};
  std::map<std::string, Id> landmarks{};  ///< by name
  std::vector<Id> candidates{};
  std::vector<std::string> files{};  ///< of the candidates

  /// `progress` is told how many candidates are done.
  [[nodiscard]] AcceptanceDecision run(const std::function<void(std::size_t)>& progress) const;
};

}  // namespace caos::studio
