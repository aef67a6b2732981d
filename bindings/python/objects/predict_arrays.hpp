#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/objects/calibrated_scores.hpp"
#include "bindings/python/objects/prediction_sets.hpp"
#include "caos/evaluate.hpp"

namespace caos::python {

/// How new inputs are predicted, as a user says it.
struct PredictArguments {
  std::string method{};
  pybind11::object reverse{};  ///< or None
  bool symmetric = false;
  pybind11::object groups{};  ///< or None
  bool clip_rank = false;
  std::optional<std::uint64_t> smoothing_seed{};
  pybind11::object confidence = pybind11::none();  ///< for split-caos
  std::optional<std::int64_t> pool_size{};
  pybind11::object reference_indices = pybind11::none();  ///< for split-caos
  std::uint64_t seed = default_halving_seed;              ///< draws them where they are None
  std::size_t threads = 0;
};

/// Sets, and what the user has yet to be warned of.
struct QuietSets {
  std::vector<PredictionSets> sets{};  ///< one per alpha
  std::vector<std::string> warnings{};
  bool single = false;  ///< alpha was a number by itself
};

/// For who predicts inputs block after block, and warns but once.
[[nodiscard]] QuietSets predict_quietly(const CalibratedScores& calibrated,
                                        const pybind11::object& test, const pybind11::object& alpha,
                                        const PredictArguments& arguments);

/// `PredictionSets`, or a list of them for several alphas; warns of alphas that are infeasible.
[[nodiscard]] pybind11::object predict_set(const CalibratedScores& calibrated,
                                           const pybind11::object& test,
                                           const pybind11::object& alpha,
                                           const PredictArguments& arguments);

/// The p-values of every label, [m, K].
[[nodiscard]] pybind11::array_t<double> predict_p(const CalibratedScores& calibrated,
                                                  const pybind11::object& test,
                                                  const PredictArguments& arguments);

/// The CAOS scores of every label, [m, K].
[[nodiscard]] pybind11::array_t<double> label_scores(const CalibratedScores& calibrated,
                                                     const pybind11::object& test);

}  // namespace caos::python
