#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/coverage_law.hpp"
#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/scores.hpp"
#include "caos/split.hpp"
#include "caos/test_inputs.hpp"

namespace caos {

struct PredictOptions {
  std::vector<Miscoverage> alphas{};  ///< none: only p-values, then of every label
  Method method = Method::caos;       ///< caos, full_caos, or split_caos for a `SplitCaos`
  RankRule rule = RankRule::every_label;
  std::optional<TrainingConditional> conditional{};  ///< with split_caos only
  std::optional<std::uint64_t>
      smoothing_seed{};  ///< smoothed p-values decide, with random numbers of this seed
};

/// Throws `invalid_input` for methods that do not predict from one calibration of all examples: all
/// but CAOS and Full CAOS.
void check_predicts(Method method);

/// Throws `invalid_input` for methods that do not predict: all but CAOS, Full CAOS and Split CAOS;
/// for a confidence without Split CAOS, and for one with smoothing or a clipped rank.
void check_predicts(const PredictOptions& options);

/// The sets of one input and the p-values that decide them; nothing for labels that Full CAOS need
/// not look at.
struct Prediction {
  std::vector<PredictionSet> sets{};  ///< one per alpha
  std::vector<std::optional<double>> p_values{};
};

/// Predicts input number `index`; the number matters only to smoothing, whose random numbers depend
/// on it and not on the order of calls.
[[nodiscard]] Prediction predict(const Calibration& calibration, const TestInput& input,
                                 std::size_t index, const PredictOptions& options);

/// Predicts by Split CAOS; `input` has scores under all labeled examples, of which its references
/// count. Throws `invalid_input` for groups with a confidence.
[[nodiscard]] Prediction predict(const split::SplitCaos& split, const TestInput& input,
                                 std::size_t index, const PredictOptions& options);

/// The rank that decides at an alpha among n calibration examples.
[[nodiscard]] std::size_t deciding_rank(std::size_t n, const Miscoverage& alpha,
                                        const PredictOptions& options);

/// Whether the calibration has enough examples for an alpha.
[[nodiscard]] bool is_feasible(const Calibration& calibration, const PredictOptions& options,
                               const Miscoverage& alpha);

/// The guarantee of the sets of `predict` at an alpha.
[[nodiscard]] Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options,
                                     const Miscoverage& alpha);

/// The smallest alpha that is feasible in every group.
[[nodiscard]] double smallest_feasible_alpha(const Calibration& calibration);

/// The warning for an alpha that is infeasible for the calibration; nothing for others.
[[nodiscard]] std::optional<std::string> feasibility_warning(const Calibration& calibration,
                                                             const PredictOptions& options,
                                                             const Miscoverage& alpha);

/// The same for new inputs, or labels, in groups without labeled examples.
[[nodiscard]] std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown,
                                                               const PredictOptions& options);

}  // namespace caos
