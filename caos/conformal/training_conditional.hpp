#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "caos/conformal/guarantee.hpp"
#include "caos/core/types.hpp"
#include "caos/numerics/confidence.hpp"
#include "caos/numerics/miscoverage.hpp"
#include "caos/numerics/sorted_scores.hpp"

namespace caos {

/// A split conformal guarantee for this calibration, not on average over calibrations: with the
/// given confidence, over draws of the calibration examples, coverage is at least 1 - alpha.
struct TrainingConditional {
  Confidence confidence = Confidence::parse(default_confidence);
  /// How many examples of a finite pool are left when the labeled ones are drawn from it at random;
  /// coverage is then the share of those that is covered. Nothing: independent draws from a
  /// population, and coverage is the probability of covering another draw.
  std::optional<std::size_t> remaining{};

  friend bool operator==(const TrainingConditional&, const TrainingConditional&) = default;
};

/// The smallest rank among n calibration scores whose threshold gives the guarantee, or n + 1 if
/// there is none: then every label is in the set. It is the smallest r with
///   P(Beta(r, n + 1 - r) >= 1 - alpha) = P(Binomial(n, 1 - alpha) < r) >= confidence,
/// and with a pool, where c = ceil((1 - alpha) remaining), the smallest r with
///   P(r-th smallest of n leaves c or more below) =
///     P(Hypergeometric(n + remaining, n, c + r - 1) < r) >= confidence.
/// Decided exactly; alphas of more than 18 places are rounded down. Requires n and n + remaining of
/// at most `most_units`.
[[nodiscard]] std::size_t conditional_rank(std::size_t n, const Miscoverage& alpha,
                                           const TrainingConditional& what);

/// The fewest calibration examples for which there is such a rank; `most_units` if it takes more.
[[nodiscard]] std::size_t examples_needed(const Miscoverage& alpha,
                                          const TrainingConditional& what);

/// The score at a rank from 1; +infinity beyond the last.
[[nodiscard]] Score score_at_rank(const SortedScores& scores, std::size_t rank);

/// What that guarantee rests on, which is more than exchangeability. `units` are what is drawn:
/// `examples`, `images` or `subjects`.
[[nodiscard]] std::string conditional_assumption(const TrainingConditional& what,
                                                 std::string_view units = "examples");

/// `PAC`, with its confidence and what is drawn.
[[nodiscard]] Guarantee conditional_guarantee(const TrainingConditional& what);

}  // namespace caos
