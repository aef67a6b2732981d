#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"

// Planned looks: sizes of the sample at which regions carry the guarantee, each with a share of
// alpha. All of it is fixed before results are seen (docs/project/theory.md, section 13).
namespace caos::studio {

/// Looks at these sizes that share `alpha` equally: each gets alpha / J, rounded down to six
/// decimals or to those of alpha, so that their sum is at most alpha. Throws `invalid_input` where
/// nothing is left of it.
[[nodiscard]] std::vector<Look> equal_looks(const std::vector<std::size_t>& sizes,
                                            const std::string& alpha);

/// Throws `invalid_input` unless sizes grow, each alpha is a decimal between 0 and 1, and the sum
/// of all, computed exactly, is at most `alpha`.
void check_looks(const std::vector<Look>& looks, const std::string& alpha);

/// Looks as they were asked for: where no look has an alpha, they share it equally. Throws
/// `invalid_input` where only some have one, and as `check_looks` does.
[[nodiscard]] std::vector<Look> planned_looks(const std::vector<Look>& asked,
                                              const std::string& alpha);

/// Whether regions at this size were planned: the size itself, where there is one look.
[[nodiscard]] bool is_planned(const Sampling& sampling, std::size_t size);

/// How many looks are reached once the first `labeled` images of the order are labeled; without
/// planned ones there is one, at the sample's size. Looks beyond that size do not count.
[[nodiscard]] std::size_t looks_reached(const Sampling& sampling, std::size_t labeled);

}  // namespace caos::studio
