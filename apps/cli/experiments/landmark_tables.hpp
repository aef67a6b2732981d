#pragma once

#include <string>
#include <string_view>

#include "apps/cli/program.hpp"

/// The tables of the page on landmarks. Each takes one part of the results as
/// `caos experiment landmarks` gathers them, and copes with whatever is null or absent in it.
namespace caos::cli::landmark_tables {

/// Coverage and set size of each method at each alpha, beside the paper's figures where there are
/// any. Methods without guarantee are grey; below the table it says why.
[[nodiscard]] std::string methods(const Json& entries);

/// Set size, and coverage in small, by k and alpha.
[[nodiscard]] std::string k_ablation(const Json& entries);

/// Set size by k and difficulty.
[[nodiscard]] std::string k_strata(const Json& entries);

/// Sets that hold all landmarks at once, above what separate sets do; their size is in the methods'
/// entries.
[[nodiscard]] std::string simultaneous(const Json& entries, const Json& method_entries);

/// Other scores beside the paper's cosine.
[[nodiscard]] std::string beyond(const Json& entries);

/// One row per landmark, folded away.
[[nodiscard]] std::string landmarks(const Json& entries);

}  // namespace caos::cli::landmark_tables
