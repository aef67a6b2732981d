#include "caos/text/text_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "caos/error.hpp"
#include "caos/numerics/beta.hpp"

namespace caos {
namespace {

constexpr double confidence_tail = 0.025;
constexpr double rounding = 1e-9;

/// A result without any split yet.
TextExperimentResult begin_result(const MethodResult& of_first_split) {
  TextExperimentResult result{.method = of_first_split.method, .alpha = of_first_split.alpha};
  result.guarantee = of_first_split.guarantee;
  return result;
}

void add_split(const MethodResult& from, const Indices& test, TextExperimentResult& to) {
  to.feasible = to.feasible && from.feasible;
  to.coverage.push_back(from.evaluation.coverage);
  to.mean_set_size.push_back(from.evaluation.mean_set_size);
  to.singleton_rate.push_back(from.evaluation.singleton_rate);
  to.empty_rate.push_back(from.evaluation.empty_rate);
  to.tested.push_back(test);
  std::vector<double>& covered = to.covered.emplace_back();
  for (const Outcome& outcome : from.outcomes) covered.push_back(outcome.covered);
}

void add_split(const std::vector<MethodResult>& from, const Indices& test,
               std::vector<TextExperimentResult>& to) {
  if (to.empty()) {
    for (const MethodResult& result : from) to.push_back(begin_result(result));
  }
  for (std::size_t r = 0; r < from.size(); ++r) add_split(from[r], test, to[r]);
}

// The interval.

/// How far the outcomes of one test text, or of one split, lie from the mean altogether.
using Deviations = std::map<std::size_t, double>;

double sum_of_squares(const Deviations& deviations) {
  double sum = 0;
  for (const auto& [key, deviation] : deviations) sum += deviation * deviation;
  return sum;
}

/// The variance of a mean of outcomes that are dependent where they share a test text or a split,
/// and how many distinct test texts there are.
struct Spread {
  double variance = 0;
  std::size_t num_texts = 0;
};

Spread spread_around(double mean, const TextExperimentResult& result) {
  Deviations by_text;
  Deviations by_split;
  double squares = 0;
  double count = 0;
  for (std::size_t s = 0; s < result.covered.size(); ++s) {
    for (std::size_t t = 0; t < result.covered[s].size(); ++t) {
      const double deviation = result.covered[s][t] - mean;
      by_text[result.tested[s][t]] += deviation;
      by_split[s] += deviation;
      squares += deviation * deviation;
      count += 1;
    }
  }
  // What one split has in common cannot be seen in one split: its sum of deviations is 0.
  const double text = sum_of_squares(by_text);
  const auto num_splits = static_cast<double>(by_split.size());
  const double split =
      num_splits > 1 ? sum_of_squares(by_split) * num_splits / (num_splits - 1) : 0;
  return {.variance = std::max({text, split, text + split - squares}) / (count * count),
          .num_texts = by_text.size()};
}

bool reaches(const TextExperimentResult& result) {
  return result.mean_coverage() >= 1 - result.alpha.value() - rounding;
}

}  // namespace

double TextExperimentResult::mean_coverage() const { return mean_with_error(coverage).mean; }

double TextExperimentResult::mean_size() const { return mean_with_error(mean_set_size).mean; }

std::optional<double> TextExperimentResult::coverage_error() const {
  return mean_with_error(coverage).standard_error;
}

std::optional<double> TextExperimentResult::size_error() const {
  return mean_with_error(mean_set_size).standard_error;
}

Interval TextExperimentResult::coverage_interval() const {
  const double mean = mean_coverage();
  const Spread spread = spread_around(mean, *this);
  // As many independent tests as would have this variance; a mean of 0 or 1 has none to show.
  const double most = static_cast<double>(spread.num_texts);
  const double tests =
      spread.variance > 0 ? std::min(most, mean * (1 - mean) / spread.variance) : most;
  const double hits = mean * tests;
  Interval interval;
  if (hits > 0) interval.low = beta_quantile(confidence_tail, hits, tests - hits + 1);
  if (hits < tests) interval.high = beta_quantile(1 - confidence_tail, hits + 1, tests - hits);
  return interval;
}

EvaluateOptions evaluate_options(const TextExperimentOptions& options) {
  return {.methods = options.methods,
          .alphas = options.alphas,
          .k = options.k,
          .grouping = Grouping::none(0),
          .partition = {},
          .rule = options.rule,
          .threads = options.threads};
}

TextTaskExperiment run_text_experiment(const std::string& task, std::size_t num_examples,
                                       std::size_t num_labels, const TextExperimentOptions& options,
                                       const SplitEvaluator& evaluate) {
  require(!options.seeds.empty(), ErrorKind::invalid_input, "an experiment needs a seed");
  TextTaskExperiment experiment{
      .task = task, .num_labels = num_labels, .num_examples = num_examples};
  for (const std::uint64_t seed : options.seeds) {
    const TextSplit split = draw_text_split(num_examples, options.test_size, seed);
    add_split(evaluate(split), split.test, experiment.results);
  }
  return experiment;
}

TextTaskExperiment run_text_experiment(const std::string& task, const ScoreTensor& scores,
                                       std::span<const Label> labels,
                                       const TextExperimentOptions& options,
                                       const ReverseScorer& reverse) {
  const EvaluateOptions what = evaluate_options(options);
  return run_text_experiment(
      task, labels.size(), scores.num_labels, options,
      [&](const TextSplit& split) { return evaluate_texts(scores, labels, split, what, reverse); });
}

ReachesTarget reaches_target(const TextTaskExperiment& task, const Miscoverage& alpha) {
  const TextExperimentResult* caos = find_result(task, Method::caos, alpha);
  const TextExperimentResult* scos = find_result(task, Method::scos, alpha);
  require(caos != nullptr && scos != nullptr, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was not run with caos and scos at alpha {}", task.task, alpha.text());
  });
  if (reaches(*caos)) return reaches(*scos) ? ReachesTarget::both : ReachesTarget::caos_only;
  return reaches(*scos) ? ReachesTarget::scos_only : ReachesTarget::neither;
}

const TextExperimentResult* find_result(const TextTaskExperiment& task, Method method,
                                        const Miscoverage& alpha) {
  const auto found = std::ranges::find_if(task.results, [&](const TextExperimentResult& result) {
    return result.method == method && result.alpha == alpha;
  });
  return found == task.results.end() ? nullptr : &*found;
}

}  // namespace caos
