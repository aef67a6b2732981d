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
#include "caos/conformal/split.hpp"
#include "caos/conformal/test_input.hpp"
#include "caos/conformal/training_conditional.hpp"

namespace caos {

struct PredictOptions {
  std::vector<Miscoverage> alphas{};  ///< none: only p-values, then of every label
  Method method = Method::caos;       ///< caos, full_caos, or split_caos for a `SplitCaos`
  RankRule rule = RankRule::every_label;
  std::optional<TrainingConditional> conditional{};  ///< with split_caos only
  std::optional<std::uint64_t>
      smoothing_seed{};  ///< smoothed p-values decide, drawn from this seed
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

/// Predicts input number `index`; the number matters only to smoothing, whose random draws depend
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

/// Whether the calibration has examples enough for an alpha.
[[nodiscard]] bool is_feasible(const Calibration& calibration, const PredictOptions& options,
                               const Miscoverage& alpha);

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
