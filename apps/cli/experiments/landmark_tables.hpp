#pragma once

#include <string>
#include <vector>

#include "apps/cli/experiments/landmark_results.hpp"

/// The tables of the page on landmarks, as HTML.
namespace caos::cli::landmark_tables {

/// Coverage and set size of each method at each alpha, beside the paper's figures where there are
/// any. Methods without a guarantee are gray; below the table it says why.
[[nodiscard]] std::string methods(const ResultList& results);

/// Set size, and coverage in small, by k and alpha.
[[nodiscard]] std::string k_ablation(const std::vector<ExperimentResult>& results);

/// Set size by k and difficulty.
[[nodiscard]] std::string k_strata(const std::vector<StratumResult>& results);

/// Sets for all landmarks at once, above what the separate sets of CAOS do.
[[nodiscard]] std::string simultaneous(const LandmarkExperiment& experiment);

/// Other scores beside the paper's cosine.
[[nodiscard]] std::string beyond(const LandmarkResults& results);

/// One row per landmark, folded away.
[[nodiscard]] std::string landmarks(const LandmarkResults& results);

}  // namespace caos::cli::landmark_tables
