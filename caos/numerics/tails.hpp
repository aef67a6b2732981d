#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace caos {

/// A probability numerator / denominator, in (0, 1).
struct Ratio {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 2;
};

/// The number of marked units among `drawn` units drawn without replacement from `population`,
/// of which `marked` are marked.
struct Hypergeometric {
  std::uint64_t population = 0;
  std::uint64_t marked = 0;  ///< at most `population`
  std::uint64_t drawn = 0;   ///< at most `population`
};

/// The number of successes in independent trials, each with probability `success`.
struct Binomial {
  std::uint64_t trials = 0;
  Ratio success{};
};

/// The largest population and number of trials that the tails are computed for.
inline constexpr std::uint64_t most_units = 1'000'000'000;

/// P(X >= least) compared with `level`, without rounding: certified brackets in double decide, and
/// whole numbers of any size what these leave open. Where X may exceed 10,000 an open
/// comparison answers `unordered`; the caller then takes the side that claims less.
/// Requires populations and trials of at most `most_units`.
[[nodiscard]] std::partial_ordering compare_upper_tail(const Hypergeometric& law,
                                                       std::uint64_t least, const Ratio& level);
[[nodiscard]] std::partial_ordering compare_upper_tail(const Binomial& law, std::uint64_t least,
                                                       const Ratio& level);

}  // namespace caos
