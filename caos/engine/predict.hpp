#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "caos/conformal/calibration.hpp"
#include "caos/conformal/guarantee.hpp"
#include "caos/conformal/method.hpp"
#include "caos/conformal/prediction_set.hpp"
#include "caos/conformal/test_input.hpp"

namespace caos {

struct PredictOptions {
  std::vector<Miscoverage> alphas{};  ///< none: only p-values, then of every label
  Method method = Method::caos;       ///< caos or full_caos
  RankRule rule = RankRule::every_label;
  std::optional<std::uint64_t>
      smoothing_seed{};  ///< smoothed p-values decide, drawn from this seed
};

/// Throws `invalid_input` for methods that do not predict from a calibration: all but CAOS and Full
/// CAOS.
void check_predicts(Method method);

/// The sets of one input and the p-values that decide them; nothing for labels that Full CAOS need
/// not look at.
struct Prediction {
  std::vector<PredictionSet> sets{};  ///< one per alpha
  std::vector<std::optional<double>> p_values{};
};

/// Predicts input number `index`; the number matters only to smoothing, whose random draws depend
/// on it and not on the order of calls.
[[nodiscard]] Prediction predict(const Calibration& calibration, const TestInput& input,
                                 std::size_t index, const PredictOptions& options);

/// What the sets of `predict` at an alpha promise.
[[nodiscard]] Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options,
                                     const Miscoverage& alpha);

/// The smallest alpha that there are examples enough for, in every group.
[[nodiscard]] double smallest_feasible_alpha(const Calibration& calibration);

/// What a user should hear where alpha is infeasible for the calibration; nothing where it is not.
[[nodiscard]] std::optional<std::string> feasibility_warning(const Calibration& calibration,
                                                             const PredictOptions& options,
                                                             const Miscoverage& alpha);

/// The same where new inputs, or labels, are in groups that no labelled example is in.
[[nodiscard]] std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown,
                                                               const PredictOptions& options);

}  // namespace caos
