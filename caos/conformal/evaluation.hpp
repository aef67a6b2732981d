#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "caos/numerics/beta.hpp"

namespace caos {

/// What one method's set was worth on one test example. For an average over references (SCOS) both
/// are averages, so they need not be whole.
struct Outcome {
  double covered = 0;
  double size = 0;
  double singleton = 0;
  double empty = 0;

  /// The outcome of one set.
  [[nodiscard]] static Outcome of_set(bool covered, std::size_t size);
};

/// What is said about the uncertainty of a measured coverage.
enum class CoverageInterval {
  clopper_pearson,  ///< exact, for one task, one calibration and independent test examples
  standard_error,   ///< mean +- 1.96 standard errors, where outcomes are averages themselves
  none,             ///< too few examples for either, or averages that do not vary
};

[[nodiscard]] std::string_view interval_name(CoverageInterval interval);

/// Cov and Size (eqns. cov_eval, size_eval) and what users ask for besides.
struct Evaluation {
  double coverage = 0;
  std::optional<Interval> coverage_interval;  ///< 95 %
  CoverageInterval interval_kind = CoverageInterval::none;
  std::optional<double> coverage_standard_error;  ///< over test examples; needs two
  double mean_set_size = 0;
  double median_set_size = 0;
  double singleton_rate = 0;
  double empty_rate = 0;
};

/// Summarises the outcomes on the test examples of one task under one calibration.
/// `averaged` says that each outcome is itself an average over references. Requires an outcome.
[[nodiscard]] Evaluation evaluate(std::span<const Outcome> outcomes, bool averaged);

/// A mean with its standard error; nothing where there are fewer than two values.
struct MeanWithError {
  double mean = 0;
  std::optional<double> standard_error;
};

[[nodiscard]] MeanWithError mean_with_error(std::span<const double> values);

/// Mean +- SEM over tasks of each task's coverage and mean set size.
struct TaskSummary {
  std::size_t num_tasks = 0;
  MeanWithError coverage;
  MeanWithError mean_set_size;
};

[[nodiscard]] TaskSummary summarize_tasks(std::span<const Evaluation> tasks);

}  // namespace caos
