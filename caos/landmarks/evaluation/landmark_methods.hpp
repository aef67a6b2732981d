#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "caos/evaluation/split_families.hpp"
#include "caos/joint.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos {

/// Every requested method of one landmark, calibrated.
struct LandmarkMethods {
  Indices calibrating{};            ///< positions in the task's images
  std::vector<Calibration> caos{};  ///< at k, then at each k of the ablation
  /// The split methods; `family_options` is theirs.
  std::unique_ptr<EvaluateOptions> family_options{};
  std::vector<std::unique_ptr<SplitCaosFamily>> splits{};
  std::unique_ptr<ScosFamily> scos{};

  /// All split methods.
  [[nodiscard]] std::vector<const MethodFamily*> families() const;
};

/// All that is known before a test image is seen.
struct CalibratedLandmarks {
  /// `example_weights` is plain or by labeled image.
  CalibratedLandmarks(const LabeledPatches& labeled_images,
                      const LandmarkEvaluateOptions& evaluate_options,
                      ExampleWeights example_weights);

  const LabeledPatches& labeled;
  const LandmarkEvaluateOptions& options;
  ReferencePatches references;
  Indices calibrating;
  ExampleWeights weights;  ///< by calibrating image
  std::shared_ptr<const PatchMatcher> matcher;
  std::vector<LandmarkMethods> methods{};
  std::optional<JointCalibration> joint{};  ///< where asked for

  [[nodiscard]] std::size_t num_tasks() const { return methods.size(); }
  [[nodiscard]] std::size_t num_alphas() const { return options.alphas.size(); }
  [[nodiscard]] bool wants(Method method) const;
};

/// Whether the method is CAOS or Full CAOS, which use the labeled images whole.
[[nodiscard]] bool uses_all_images(Method method);

}  // namespace caos
