#pragma once

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"

// For `evaluate_landmarks`; not for users of the library.
namespace caos {

/// Throws `invalid_input` for what `evaluate_landmarks` requires.
void check_evaluation(const LabeledPatches& labeled, const TestPatches& test,
                      const LandmarkEvaluateOptions& options);

}  // namespace caos
