#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/score_options.hpp"
#include "apps/cli/points/point_error_options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/evaluation/landmark_splits.hpp"
#include "caos/landmarks/points/point_measurement.hpp"

namespace caos::cli {

struct LandmarksEvaluateCommandOptions {
  CommonOptions common;
  std::string embeddings;
  std::string labels;
  std::string test_embeddings;
  std::string test_labels;
  GridOptions grid;
  std::string test_positions;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  std::string split;
  std::vector<std::string> alphas = {default_alpha};
  std::size_t k = 3;
  std::vector<std::string> methods;
  ScoreOption score;
  bool simultaneous = false;
  std::uint64_t seed = 0;
  std::string target = "subject";
  bool clip_rank = false;
  ConditionalOptions conditional;
  PointErrorOptions points;
  std::string sets;
  std::size_t threads = 0;
};

/// Everything that is evaluated, wherever it comes from.
struct LandmarkEvaluationData {
  LabeledPatches labeled{};
  TestPatches test{};
  std::optional<split::Partition> partition{};  ///< of the labeled images, where the file tells
  std::size_t num_patches = 0;                  ///< of every test image; 0 where they differ
  std::optional<EmbeddingRecord> embedding{};   ///< of images
  /// Where images are given.
  std::shared_ptr<const AnnotatedImages> images{};
  LandmarkSplit roles{};
  PointUnits units{};
  std::vector<ImageUnits> image_units{};  ///< by image
};

[[nodiscard]] LandmarkEvaluationData read_arrays(const LandmarksEvaluateCommandOptions& options);
[[nodiscard]] LandmarkEvaluationData read_images(const LandmarksEvaluateCommandOptions& options,
                                                 dist::Communicator& processes);

}  // namespace caos::cli
