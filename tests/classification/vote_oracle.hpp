#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "caos/kernels/exp.hpp"
#include "caos/scores.hpp"

/// Full conformal classification as it is defined: for every candidate label, everything is
/// computed again. Slow.
namespace vote_oracle {

using Table = std::vector<std::vector<double>>;

/// Labeled examples and, last, one new input: similarities or distances of all pairs, and of all
/// with the labels' vectors (empty without).
struct Task {
  Table pairs;                      // [n + 1][n + 1], symmetric
  std::vector<caos::Label> labels;  // [n]
  std::size_t num_labels = 1;
  Table to_labels;  // [n + 1][K], or empty

  [[nodiscard]] std::size_t n() const { return labels.size(); }
};

inline std::int64_t weight(double similarity, double temperature) {
  const double below = (std::min(similarity, 1.0) - 1.0) / temperature;
  return std::llrint(std::ldexp(caos::kernels::exp_of_negative(below), 40));
}

/// b p0(y | x) of every label, in units of 2^-40.
inline std::vector<std::int64_t> prior(const Task& task, std::size_t i, double temperature,
                                       double b) {
  std::vector<std::int64_t> units;
  if (task.to_labels.empty()) {
    const double each = b / static_cast<double>(task.num_labels);
    units.assign(task.num_labels, std::max<std::int64_t>(1, std::llrint(std::ldexp(each, 40))));
    return units;
  }
  const std::vector<double>& row = task.to_labels[i];
  const double top = *std::max_element(row.begin(), row.end());
  std::vector<double> terms;
  for (const double c : row) {
    terms.push_back(caos::kernels::exp_of_negative((c - top) / temperature));
  }
  std::vector<double> sorted = terms;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double term : sorted) sum += term;
  for (const double term : terms) {
    units.push_back(std::max<std::int64_t>(1, std::llrint(std::ldexp(b * (term / sum), 40))));
  }
  return units;
}

/// -P of example i's label given all others of `labels`.
inline double kernel_score(const Task& task, const std::vector<caos::Label>& labels, std::size_t i,
                           double temperature, double b) {
  const std::vector<std::int64_t> units = prior(task, i, temperature, b);
  std::int64_t own = units[labels[i]];
  std::int64_t all = 0;
  for (const std::int64_t unit : units) all += unit;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (j == i) continue;
    const std::int64_t w = weight(task.pairs[i][j], temperature);
    all += w;
    if (labels[j] == labels[i]) own += w;
  }
  return -(static_cast<double>(own) / static_cast<double>(all));
}

/// The sum of the k smallest, the last of fewer repeated; +inf without any.
inline double smallest_sum(std::vector<double> values, std::size_t k) {
  if (values.empty()) return std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  while (values.size() < k) values.push_back(values.back());
  double sum = 0;
  for (std::size_t r = 0; r < k; ++r) sum += values[r];
  return sum;
}

inline double ratio_score(const Task& task, const std::vector<caos::Label>& labels, std::size_t i,
                          std::size_t k) {
  std::vector<double> same;
  std::vector<double> other;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (j != i) (labels[j] == labels[i] ? same : other).push_back(task.pairs[i][j]);
  }
  const double numerator = smallest_sum(same, k);
  const double denominator = smallest_sum(other, k);
  if (numerator == 0 && denominator == 0) return 1;
  if (denominator == 0) return std::numeric_limits<double>::infinity();
  return numerator / denominator;
}

/// The p-value of every label; `score(labels, i)` is the score of example i among all of `labels`,
/// and `is_peer(y, i)` whether candidate y is compared with example i.
template <typename ScoreOf, typename IsPeer>
std::vector<double> p_values(const Task& task, ScoreOf score, IsPeer is_peer) {
  std::vector<double> result;
  for (caos::Label y = 0; y < task.num_labels; ++y) {
    std::vector<caos::Label> labels = task.labels;
    labels.push_back(y);
    const double candidate = score(labels, task.n());
    std::size_t at_least = 1;
    std::size_t all = 1;
    for (std::size_t i = 0; i < task.n(); ++i) {
      if (!is_peer(y, i)) continue;
      ++all;
      if (score(labels, i) >= candidate) ++at_least;
    }
    result.push_back(static_cast<double>(at_least) / static_cast<double>(all));
  }
  return result;
}

}  // namespace vote_oracle
