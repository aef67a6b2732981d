#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The outcome of one method's set on one test example. For an average over references (SCOS) all
/// are averages, so they need not be whole.
struct Outcome {
  double covered = 0;
  double size = 0;
  double singleton = 0;
  double empty = 0;

  /// The outcome of one set.
  [[nodiscard]] static Outcome of_set(bool covered, std::size_t size);
};

/// The truth of a test example whose label is not in the list of labels: every set misses it.
inline constexpr Label unlisted_label = std::numeric_limits<Label>::max();

/// The outcome of the set of labels with scores[y] <= thresholds[y].
[[nodiscard]] Outcome outcome_of(std::span<const Score> scores, std::span<const Score> thresholds,
                                 Label truth);

/// The outcome of a set of labels, ascending.
[[nodiscard]] Outcome outcome_of(const PredictionSet& set, Label truth);

/// How the uncertainty of a measured coverage is stated.
enum class IntervalKind {
  clopper_pearson,  ///< exact, for one task, one calibration and independent test examples
  standard_error,   ///< mean +- 1.96 standard errors, where outcomes are averages themselves
  none,             ///< an average over one example, or averages that do not vary
};

[[nodiscard]] std::string_view interval_name(IntervalKind kind);

/// Cov and Size (eqns. cov_eval, size_eval) and further statistics.
struct Evaluation {
  double coverage = 0;
  std::optional<Interval> coverage_interval;  ///< 95 %
  IntervalKind interval_kind = IntervalKind::none;
  std::optional<double> coverage_standard_error;  ///< over test examples; needs two
  double mean_set_size = 0;
  double median_set_size = 0;
  double singleton_rate = 0;
  double empty_rate = 0;
};

/// Summarizes the outcomes on the test examples of one task under one calibration, with the kind of
/// interval that suits them. Requires an outcome.
[[nodiscard]] Evaluation summarize(std::span<const Outcome> outcomes,
                                   IntervalKind kind = IntervalKind::clopper_pearson);

/// A mean with its standard error; nothing where there are fewer than two values.
struct MeanWithError {
  double mean = 0;
  std::optional<double> standard_error;
};

/// Fewer splits than this give a standard error that may itself be several times too small.
inline constexpr std::size_t splits_for_a_steady_error = 5;

[[nodiscard]] MeanWithError mean_with_error(std::span<const double> values);

/// Mean +- SEM over tasks, or over splits, of each figure.
struct TaskSummary {
  MeanWithError coverage;
  MeanWithError mean_set_size;
  MeanWithError median_set_size;
  MeanWithError singleton_rate;
  MeanWithError empty_rate;
};

/// Requires at least one task.
[[nodiscard]] TaskSummary summarize_tasks(std::span<const Evaluation> tasks);

/// One method at one alpha on many tasks.
struct TaskTable {
  std::vector<std::string> names;
  std::vector<Evaluation> tasks;  ///< as many
  TaskSummary summary;
  Guarantee guarantee;  ///< of each task by itself

  /// Requires one name per task.
  TaskTable(std::vector<std::string> task_names, std::vector<Evaluation> evaluations,
            Guarantee of_each_task);
};

}  // namespace caos
