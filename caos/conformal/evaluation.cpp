#include "caos/conformal/evaluation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace caos {
namespace {

constexpr double normal_97_5 = 1.959963984540054;

std::vector<double> collect(std::span<const Outcome> outcomes, double Outcome::*field) {
  std::vector<double> values;
  for (const Outcome& outcome : outcomes) values.push_back(outcome.*field);
  return values;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void set_interval(Evaluation& result, std::span<const Outcome> outcomes, bool averaged) {
  if (!averaged) {
    const auto hits = std::ranges::count(outcomes, 1.0, &Outcome::covered);
    result.coverage_interval = clopper_pearson(static_cast<std::size_t>(hits), outcomes.size());
    result.interval_kind = CoverageInterval::clopper_pearson;
  } else if (const double error = result.coverage_standard_error.value_or(0); error > 0) {
    const double reach = normal_97_5 * error;
    result.coverage_interval =
        Interval{std::max(0.0, result.coverage - reach), std::min(1.0, result.coverage + reach)};
    result.interval_kind = CoverageInterval::standard_error;
  }
}

}  // namespace

Outcome Outcome::of_set(bool covered, std::size_t size) {
  return {.covered = covered ? 1.0 : 0.0,
          .size = static_cast<double>(size),
          .singleton = size == 1 ? 1.0 : 0.0,
          .empty = size == 0 ? 1.0 : 0.0};
}

std::string_view interval_name(CoverageInterval interval) {
  switch (interval) {
    case CoverageInterval::clopper_pearson:
      return "clopper-pearson";
    case CoverageInterval::standard_error:
      return "standard-error";
    case CoverageInterval::none:
      break;
  }
  return "none";
}

Evaluation evaluate(std::span<const Outcome> outcomes, bool averaged) {
  assert(!outcomes.empty());
  const MeanWithError covered = mean_with_error(collect(outcomes, &Outcome::covered));
  const std::vector<double> sizes = collect(outcomes, &Outcome::size);
  Evaluation result;
  result.coverage = covered.mean;
  result.coverage_standard_error = covered.standard_error;
  set_interval(result, outcomes, averaged);
  result.mean_set_size = mean(sizes);
  result.median_set_size = median(sizes);
  result.singleton_rate = mean(collect(outcomes, &Outcome::singleton));
  result.empty_rate = mean(collect(outcomes, &Outcome::empty));
  return result;
}

MeanWithError mean_with_error(std::span<const double> values) {
  assert(!values.empty());
  MeanWithError result{.mean = mean(values), .standard_error = std::nullopt};
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const auto count = static_cast<double>(values.size());
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

TaskSummary summarize_tasks(std::span<const Evaluation> tasks) {
  std::vector<double> coverage;
  std::vector<double> sizes;
  for (const Evaluation& task : tasks) {
    coverage.push_back(task.coverage);
    sizes.push_back(task.mean_set_size);
  }
  return {tasks.size(), mean_with_error(coverage), mean_with_error(sizes)};
}

}  // namespace caos
