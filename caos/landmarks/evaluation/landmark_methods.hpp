#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "caos/evaluation/caos_sets.hpp"
#include "caos/evaluation/split_families.hpp"
#include "caos/joint.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patch_tasks.hpp"
#include "caos/scorers/coarse_similarities.hpp"

namespace caos {

/// Every requested method of one landmark, calibrated.
struct LandmarkMethods {
  Indices calibrating{};         ///< positions in the task's images
  std::vector<CaosSets> caos{};  ///< at k, then at each k of the ablation
  std::size_t largest_k = 0;     ///< of those
  /// The split methods; `family_options` is theirs.
  std::unique_ptr<EvaluateOptions> family_options{};
  std::vector<std::unique_ptr<SplitCaosFamily>> splits{};
  std::unique_ptr<ScosFamily> scos{};

  /// All split methods.
  [[nodiscard]] std::vector<const MethodFamily*> families() const;

  /// The CAOS scores of the labels for each k, from the pools.
  [[nodiscard]] std::vector<std::vector<Score>> label_scores(const Matrix<Score>& pools) const;
};

/// All that is known before a test image is seen.
struct CalibratedLandmarks {
  /// `example_weights` is plain or by labelled image.
  CalibratedLandmarks(const LabeledPatches& labeled_images,
                      const LandmarkEvaluateOptions& evaluate_options,
                      ExampleWeights example_weights);

  const LabeledPatches& labeled;
  const LandmarkEvaluateOptions& options;
  ReferencePatches references;
  Indices calibrating;
  ExampleWeights weights;            ///< by calibrating image
  std::optional<CoarseRows> coarse;  ///< of the references, where scores are cosine
  std::vector<LandmarkMethods> methods{};
  std::optional<JointCalibration> joint{};  ///< where asked for

  [[nodiscard]] std::size_t num_tasks() const { return methods.size(); }
  [[nodiscard]] std::size_t num_alphas() const { return options.alphas.size(); }
  [[nodiscard]] bool wants(Method method) const;
};

/// Whether the method is CAOS or Full CAOS, which use the labelled images whole.
[[nodiscard]] bool uses_all_images(Method method);

}  // namespace caos
