#pragma once

#include <memory>
#include <vector>

#include "caos/engine/caos_sets.hpp"
#include "caos/engine/families.hpp"
#include "caos/engine/landmark_evaluation.hpp"
#include "caos/engine/patch_tasks.hpp"

namespace caos {

/// Every requested method of one landmark, calibrated.
struct LandmarkMethods {
  Indices calibrating;         ///< positions in the task's images
  std::vector<CaosSets> caos;  ///< at k, then at each k of the ablation
  std::size_t largest_k = 0;   ///< of those
  /// The split methods; `family_options` is theirs.
  std::unique_ptr<EvaluateOptions> family_options;
  std::vector<std::unique_ptr<MethodFamily>> families;

  /// The CAOS scores of the labels for each k, from the pools.
  [[nodiscard]] std::vector<std::vector<Score>> label_scores(const Matrix<Score>& pools) const;
};

/// Calibrates every method on every landmark.
[[nodiscard]] std::vector<LandmarkMethods> calibrate_methods(
    const LabeledPatches& labeled, const ReferencePatches& references, const PatchScorer& scorer,
    const Indices& calibrating, const LandmarkEvaluateOptions& options);

/// Whether the method is CAOS or Full CAOS, which use the labelled images whole.
[[nodiscard]] bool uses_all_images(Method method);

}  // namespace caos
