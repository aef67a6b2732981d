#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/scores.hpp"

/// Full CAOS (Alg. 3), exact, in O(n) per candidate.
///
/// Inserting the candidate (x, y) as a reference changes S_i only if its score s_new,i is below
/// a_i(k), the largest of the k scores that S_i adds; it then takes that one's place. Counting how
/// many S~_i reach the candidate's own score therefore starts from the plain CAOS count and visits
/// only the changed examples. Candidates outside the CAOS set are never in the Full set.
namespace caos::full {

/// S~_i (eqn. caos_full_scores) once a reference with score `inserted` for example i has joined.
[[nodiscard]] Score score_with(const Calibration& calibration, std::size_t i, Score inserted);

/// How the S~_i of y's peers compare with `score`, the CAOS score of label y of the input.
/// Requires `input.reverse`.
[[nodiscard]] Exceedances exceedances(const Calibration& calibration, const TestInput& input,
                                      Label y, Score score);

/// The same of every label with its own CAOS score.
[[nodiscard]] std::vector<Exceedances> exceedances(const Calibration& calibration,
                                                   const TestInput& input);

/// For each rank, whether label y of the input, with the CAOS score `score`, conforms (1) or not
/// (0): what `exceedances` decides. Most labels are decided by how many examples change at all,
/// before any of them is looked at.
void decide(const Calibration& calibration, const TestInput& input, Label y, Score score,
            std::span<const std::size_t> ranks, std::span<std::uint8_t> conforming);

/// The exceedances of the labels in the CAOS set at alpha; nothing for all other labels, which are
/// not in the Full set either. Requires `input.reverse`, [K, n].
[[nodiscard]] std::vector<std::optional<Exceedances>> exceedances_of_candidates(
    const Calibration& calibration, const TestInput& input, const Miscoverage& alpha,
    RankRule rule = RankRule::every_label);

/// The Full CAOS set (eqn. caos_full_set). Requires `input.reverse`.
[[nodiscard]] PredictionSet predict_set(const Calibration& calibration, const TestInput& input,
                                        const Miscoverage& alpha,
                                        RankRule rule = RankRule::every_label);

/// The Full p-values of the labels in the CAOS set at alpha; nothing for all other labels, whose
/// Full p-values are certainly at most alpha. Requires `input.reverse`.
[[nodiscard]] std::vector<std::optional<double>> predict_p(const Calibration& calibration,
                                                           const TestInput& input,
                                                           const Miscoverage& alpha);

}  // namespace caos::full
