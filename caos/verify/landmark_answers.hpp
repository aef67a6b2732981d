#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/scores.hpp"
#include "caos/split.hpp"

namespace caos {

/// Labeled images and some to predict; owns them, so that it can be changed and asked again.
struct LandmarkProblem {
  LabeledPatches labeled{};
  std::vector<Matrix<float>> images{};  ///< to predict
  Matrix<std::int64_t> truths{};        ///< [images, landmarks]
  split::Partition partition{};
  std::vector<Method> methods{};      ///< CAOS and Full CAOS among them
  std::vector<Miscoverage> alphas{};  ///< ascending; the first is infeasible
  std::size_t k = 3;
  PatchScore score{};
  std::size_t threads = 0;
};

/// Sets by alpha, image and landmark.
using LandmarkSets = std::vector<std::vector<std::vector<PredictionSet>>>;

/// Everything that the program says about a problem.
struct LandmarkAnswers {
  LandmarkSets sets{};  ///< of CAOS, as evaluating finds them
  LandmarkSets full_sets{};
  LandmarkSets predicted{};  ///< of CAOS, as predicting finds them
  LandmarkSets full_predicted{};
  /// By image, landmark and patch.
  std::vector<std::vector<std::vector<double>>> p_values{};
  std::vector<std::vector<std::vector<double>>> full_p_values{};
  /// By method and alpha, then landmark, then image that has it.
  std::vector<std::vector<std::vector<Outcome>>> outcomes{};
  std::vector<std::vector<double>> simultaneous{};  ///< coverage and mean set size, by alpha
};

/// What answers: the program, or its stand-in in a test.
using LandmarkAnswerer = std::function<LandmarkAnswers(const LandmarkProblem&)>;

/// The program's answers, by the ways that predict and evaluate.
[[nodiscard]] LandmarkAnswers answer_landmarks(const LandmarkProblem& problem);

}  // namespace caos
