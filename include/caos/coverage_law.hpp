#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {

/// The coverage of split conformal sets from n calibration examples with continuous scores.
/// Given the calibration examples, a new example is covered with a probability that varies from one
/// calibration to the next as Beta(rank, n + 1 - rank), exactly.
struct SplitCoverageLaw {
  std::size_t n = 0;
  std::size_t rank = 0;
  bool feasible = false;  ///< if not, every set is every label and coverage is 1

  [[nodiscard]] double mean() const;  ///< rank / (n + 1)
  [[nodiscard]] double standard_deviation() const;
  /// The coverage that a share p of all calibrations stays below.
  [[nodiscard]] double quantile(double p) const;
  /// The central 90 % of the share of `trials` test examples that is covered, by the Beta-binomial
  /// law.
  [[nodiscard]] Interval observed_coverage(std::size_t trials) const;
};

[[nodiscard]] SplitCoverageLaw split_coverage_law(std::size_t n, const Miscoverage& alpha);

/// The least probability, over calibrations and new examples, with which CAOS with n labeled
/// examples covers: rank / (n + 1), or 1 where alpha is infeasible. Full CAOS meets it exactly when
/// there are no ties.
[[nodiscard]] double caos_coverage_bound(std::size_t n, const Miscoverage& alpha);

/// A split conformal guarantee for this calibration, not on average over calibrations: with the
/// given confidence, over draws of the calibration examples, coverage is at least 1 - alpha.
struct TrainingConditional {
  Confidence confidence = Confidence::parse(default_confidence);
  /// How many examples of a finite pool are left when the labeled ones are a random sample of it;
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
/// at most 1,000,000,000.
[[nodiscard]] std::size_t conditional_rank(std::size_t n, const Miscoverage& alpha,
                                           const TrainingConditional& what);

/// The fewest calibration examples for which there is such a rank; 1,000,000,000 if it takes more.
[[nodiscard]] std::size_t examples_needed(const Miscoverage& alpha,
                                          const TrainingConditional& what);

/// The score at a rank from 1; +infinity beyond the last.
[[nodiscard]] Score score_at_rank(const SortedScores& scores, std::size_t rank);

/// The assumption of that guarantee, which is stronger than exchangeability. `units` are what is
/// sampled: `examples`, `images` or `subjects`.
[[nodiscard]] std::string conditional_assumption(const TrainingConditional& what,
                                                 std::string_view units = "examples");

/// `PAC`, with its confidence and sampling scheme as scope.
[[nodiscard]] Guarantee conditional_guarantee(const TrainingConditional& what);

}  // namespace caos
