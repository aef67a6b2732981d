#pragma once

#include "caos/classification.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// Labeled vectors, some of them as inputs to predict.
struct VectorProblem {
  LabeledVectors labeled{};
  Matrix<double> inputs{};
  std::vector<Label> truths{};
  std::vector<Method> methods{};  ///< full_kernel, full_ratio
  std::vector<Miscoverage> alphas{};
  VectorClassifierOptions how{};
  std::size_t threads = 0;
};

/// What the program says about a problem, by method.
struct VectorAnswers {
  std::vector<Matrix<double>> p_values{};                       ///< [m, K]
  std::vector<std::vector<std::vector<PredictionSet>>> sets{};  ///< by alpha, then input
  std::vector<Matrix<double>> p_values_by_label{};              ///< [m, K]
};

/// What answers: the program, or its stand-in in a test.
using VectorAnswerer = std::function<VectorAnswers(const VectorProblem&)>;

[[nodiscard]] VectorAnswers answer_vectors(const VectorProblem& problem);

/// Leave-out trials of full-ratio and full-kernel with their parameters in `how`, and the
/// identities. Of the methods of `options` these two are looked at, by default both. Throws
/// `invalid_input` where the examples are too few for the split.
[[nodiscard]] Verification verify_vectors(const LabeledVectors& examples,
                                          const VectorClassifierOptions& how,
                                          const VerifyOptions& options,
                                          const VectorAnswerer& answerer = answer_vectors);

}  // namespace caos
