#pragma once

#include <cstddef>

#include "caos/numerics/beta.hpp"
#include "caos/numerics/conformal_rank.hpp"

namespace caos {

/// What to expect of split conformal sets from n calibration examples with continuous scores.
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
  /// law: what one will read off a test set.
  [[nodiscard]] Interval observed_coverage(std::size_t trials) const;
};

[[nodiscard]] SplitCoverageLaw split_coverage_law(std::size_t n, const Miscoverage& alpha);

/// The least probability, over calibrations and new examples, with which CAOS with n labelled
/// examples covers: rank / (n + 1), or 1 where alpha is infeasible. Full CAOS meets it exactly when
/// there are no ties.
[[nodiscard]] double caos_coverage_bound(std::size_t n, const Miscoverage& alpha);

}  // namespace caos
