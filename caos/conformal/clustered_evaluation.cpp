#include "caos/conformal/clustered_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "caos/conformal/outcome_figures.hpp"
#include "caos/error.hpp"
#include "caos/scores.hpp"

namespace caos {
namespace {

double total_weight(std::span<const ClusterShare> shares) {
  double sum = 0;
  for (const ClusterShare& share : shares) sum += share.weight;
  return sum;
}

/// The smallest value that half of the weight does not exceed; between two of them, their mean.
double weighted_median(std::span<const double> values, std::span<const ClusterShare> shares) {
  Indices order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  const double half = total_weight(shares) / 2;
  double below = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    below += shares[order[place]].weight;
    if (below > half || place + 1 == order.size()) return values[order[place]];
    if (below == half) return (values[order[place]] + values[order[place + 1]]) / 2;
  }
  return values[order.back()];
}

void set_interval(Evaluation& result) {
  const double error = result.coverage_standard_error.value_or(0);
  if (error <= 0) return;
  const double reach = normal_97_5 * error;
  result.coverage_interval =
      Interval{std::max(0.0, result.coverage - reach), std::min(1.0, result.coverage + reach)};
  result.interval_kind = IntervalKind::standard_error;
}

}  // namespace

MeanWithError cluster_mean(std::span<const double> values, std::span<const ClusterShare> shares) {
  require(!values.empty() && values.size() == shares.size(), ErrorKind::invalid_input,
          "a mean needs at least one value, and one share for each");
  const double total = total_weight(shares);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += shares[i].weight * values[i];
  MeanWithError result{.mean = sum / total, .standard_error = std::nullopt};
  std::map<std::size_t, double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    errors[shares[i].cluster] += shares[i].weight * (values[i] - result.mean);
  }
  if (errors.size() < 2) return result;
  double squares = 0;
  for (const auto& [cluster, error] : errors) squares += error * error;
  const auto count = static_cast<double>(errors.size());
  result.standard_error = std::sqrt(count / (count - 1) * squares) / total;
  return result;
}

Evaluation summarize_clusters(std::span<const Outcome> outcomes,
                              std::span<const ClusterShare> shares) {
  const MeanWithError covered = cluster_mean(collect(outcomes, &Outcome::covered), shares);
  const std::vector<double> sizes = collect(outcomes, &Outcome::size);
  Evaluation result;
  result.coverage = covered.mean;
  result.coverage_standard_error = covered.standard_error;
  set_interval(result);
  result.mean_set_size = cluster_mean(sizes, shares).mean;
  result.median_set_size = weighted_median(sizes, shares);
  result.singleton_rate = cluster_mean(collect(outcomes, &Outcome::singleton), shares).mean;
  result.empty_rate = cluster_mean(collect(outcomes, &Outcome::empty), shares).mean;
  return result;
}

std::vector<ClusterShare> shares_of(std::span<const std::size_t> subjects, bool each_example) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t subject : subjects) ++counts[subject];
  std::vector<ClusterShare> shares;
  for (const std::size_t subject : subjects) {
    shares.push_back({.weight = each_example ? 1.0 : 1.0 / static_cast<double>(counts[subject]),
                      .cluster = subject});
  }
  return shares;
}

}  // namespace caos
