#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "caos/conformal/calibration.hpp"
#include "caos/conformal/guarantee.hpp"
#include "caos/conformal/method.hpp"
#include "caos/conformal/prediction_set.hpp"
#include "caos/conformal/test_input.hpp"

namespace caos {

struct PredictOptions {
  Miscoverage alpha;
  Method method = Method::caos;  ///< caos or full_caos
  RankRule rule = RankRule::every_label;
  std::optional<std::uint64_t>
      smoothing_seed{};  ///< smoothed p-values decide, drawn from this seed
};

/// The set of one input and the p-values that decide it; nothing for labels that Full CAOS need not
/// look at.
struct Prediction {
  PredictionSet set;
  std::vector<std::optional<double>> p_values;
};

/// Predicts input number `index`; the number matters only to smoothing, whose random draws depend
/// on it and not on the order of calls.
[[nodiscard]] Prediction predict(const Calibration& calibration, const TestInput& input,
                                 std::size_t index, const PredictOptions& options);

/// What the sets of `predict` promise.
[[nodiscard]] Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options);

}  // namespace caos
