#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"

/// Conformal selection (Jin and Candes 2023): which predictions may be accepted unseen so that the
/// expected share of wrong ones among them is at most q.
///
/// Predictions and confidences of calibration examples and candidates are made in the same way,
/// from references that are disjoint from both. Leave-one-out reuse of the references is not valid
/// here.
namespace caos::selection {

/// The prediction of one calibration example.
struct Outcome {
  double confidence = 0;  ///< larger is better; not NaN
  bool wrong = false;     ///< the error exceeds the tolerance
};

/// The accepted candidates.
struct Selection {
  std::size_t num_calibration = 0;
  std::vector<std::size_t> counts{};  ///< by candidate: its p-value times (num_calibration + 1)
  std::vector<bool> accepted{};       ///< by candidate
  std::size_t num_accepted = 0;

  [[nodiscard]] double p_value(std::size_t candidate) const {
    return static_cast<double>(counts[candidate]) / (static_cast<double>(num_calibration) + 1);
  }
};

/// For each candidate 1 + the number of wrong calibration examples that are at least as confident.
/// Throws `invalid_input` for a confidence that is NaN.
[[nodiscard]] std::vector<std::size_t> p_value_counts(std::span<const Outcome> calibration,
                                                      std::span<const double> confidences);

/// The largest r for which r p-values are at most q r / m, in exact arithmetic (Benjamini and
/// Hochberg). `counts` are the p-values of m candidates times (n + 1), in any order.
[[nodiscard]] std::size_t num_rejections(std::span<const std::size_t> counts, std::size_t n,
                                         const Miscoverage& q);

/// Accepts the r candidates with the smallest p-values.
[[nodiscard]] Selection select(std::span<const Outcome> calibration,
                               std::span<const double> confidences, const Miscoverage& q);

/// The fewest of m candidates that can be accepted together with n calibration examples, none of
/// them wrong: the smallest r with 1 / (n + 1) <= q r / m. More than m where n is too small for q.
[[nodiscard]] std::size_t fewest_accepted(std::size_t n, std::size_t m, const Miscoverage& q);

/// Events between the first look at results and the decision. Any of it voids the guarantee.
struct History {
  bool tolerance_changed = false;
  bool q_changed = false;
  bool candidate_reviewed = false;
  bool candidates_changed = false;
  bool examples_changed = false;   ///< the labeled examples
  bool proposals_changed = false;  ///< how predictions are made: references or settings
};

/// `FDR`, or `none` with the first reason that stands in the way.
[[nodiscard]] Guarantee guarantee_of(const History& history);

/// The assumptions of the guarantee beyond `caos::assumption`.
inline constexpr const char* fixed_beforehand =
    "tolerance and q were fixed before results were seen, and the candidates before any of them was "
    "reviewed";

}  // namespace caos::selection
