#include "caos/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/conformal/outcome_figures.hpp"
#include "caos/error.hpp"
#include "caos/numerics/beta.hpp"

namespace caos {
namespace {

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

void set_interval(Evaluation& result, std::span<const Outcome> outcomes, IntervalKind kind) {
  if (kind == IntervalKind::clopper_pearson) {
    const auto hits = std::ranges::count(outcomes, 1.0, &Outcome::covered);
    result.coverage_interval = clopper_pearson(static_cast<std::size_t>(hits), outcomes.size());
    result.interval_kind = IntervalKind::clopper_pearson;
  } else if (const double error = result.coverage_standard_error.value_or(0); error > 0) {
    const double reach = normal_97_5 * error;
    result.coverage_interval =
        Interval{std::max(0.0, result.coverage - reach), std::min(1.0, result.coverage + reach)};
    result.interval_kind = IntervalKind::standard_error;
  }
}

}  // namespace

Outcome Outcome::of_set(bool covered, std::size_t size) {
  return {.covered = covered ? 1.0 : 0.0,
          .size = static_cast<double>(size),
          .singleton = size == 1 ? 1.0 : 0.0,
          .empty = size == 0 ? 1.0 : 0.0};
}

Outcome outcome_of(std::span<const Score> scores, std::span<const Score> thresholds, Label truth) {
  std::size_t size = 0;
  for (Label y = 0; y < scores.size(); ++y) size += scores[y] <= thresholds[y] ? 1U : 0U;
  const bool covered = truth != unlisted_label && scores[truth] <= thresholds[truth];
  return Outcome::of_set(covered, size);
}

Outcome outcome_of(const PredictionSet& set, Label truth) {
  return Outcome::of_set(std::ranges::binary_search(set, truth), set.size());
}

std::string_view interval_name(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::clopper_pearson:
      return "clopper-pearson";
    case IntervalKind::standard_error:
      return "standard-error";
    case IntervalKind::none:
      break;
  }
  return "none";
}

Evaluation summarize(std::span<const Outcome> outcomes, IntervalKind kind) {
  require(!outcomes.empty(), ErrorKind::invalid_input, "no test example to evaluate");
  const MeanWithError covered = mean_with_error(collect(outcomes, &Outcome::covered));
  const std::vector<double> sizes = collect(outcomes, &Outcome::size);
  Evaluation result;
  result.coverage = covered.mean;
  result.coverage_standard_error = covered.standard_error;
  set_interval(result, outcomes, kind);
  result.mean_set_size = mean(sizes);
  result.median_set_size = median(sizes);
  result.singleton_rate = mean(collect(outcomes, &Outcome::singleton));
  result.empty_rate = mean(collect(outcomes, &Outcome::empty));
  return result;
}

MeanWithError mean_with_error(std::span<const double> values) {
  require(!values.empty(), ErrorKind::invalid_input, "a mean needs at least one value");
  MeanWithError result{.mean = mean(values), .standard_error = std::nullopt};
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const auto count = static_cast<double>(values.size());
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

TaskSummary summarize_tasks(std::span<const Evaluation> tasks) {
  const auto over_tasks = [&](double Evaluation::*figure) {
    std::vector<double> values;
    for (const Evaluation& task : tasks) values.push_back(task.*figure);
    return mean_with_error(values);
  };
  return {.coverage = over_tasks(&Evaluation::coverage),
          .mean_set_size = over_tasks(&Evaluation::mean_set_size),
          .median_set_size = over_tasks(&Evaluation::median_set_size),
          .singleton_rate = over_tasks(&Evaluation::singleton_rate),
          .empty_rate = over_tasks(&Evaluation::empty_rate)};
}

TaskTable::TaskTable(std::vector<std::string> task_names, std::vector<Evaluation> evaluations,
                     Guarantee of_each_task)
    : names(std::move(task_names)),
      tasks(std::move(evaluations)),
      summary(summarize_tasks(tasks)),
      guarantee(std::move(of_each_task)) {
  require(names.size() == tasks.size(), ErrorKind::invalid_input, "give one name per task");
}

}  // namespace caos
