#include "caos/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/numerics/minsum.hpp"

namespace caos {
namespace {

constexpr std::size_t rows_per_range = 64;

/// The scores of each group, and after them the empty group that stands for an unknown one.
std::vector<SortedScores> sort_by_group(std::span<const Score> scores, const Grouping& grouping,
                                        const ExampleWeights& weights) {
  std::vector<Indices> members(grouping.num_groups());
  for (std::size_t i = 0; i < scores.size(); ++i) members[grouping.of_example(i)].push_back(i);
  std::vector<SortedScores> groups;
  groups.reserve(members.size() + 1);
  for (const Indices& group : members) {
    std::vector<Score> of_group;
    of_group.reserve(group.size());
    for (const std::size_t i : group) of_group.push_back(scores[i]);
    groups.emplace_back(std::move(of_group), weights.at(group));
  }
  groups.emplace_back();
  return groups;
}

}  // namespace

Calibration::Calibration(Matrix<Score> nearest, Grouping grouping, std::size_t num_references,
                         ExampleWeights weights)
    : nearest_(std::move(nearest)),
      num_references_(num_references),
      grouping_(std::move(grouping)),
      weights_(std::move(weights)) {
  require(grouping_.num_examples() == size(), ErrorKind::invalid_input, [&] {
    return fmt::format("groups were given for {} examples; there are {}", grouping_.num_examples(),
                       size());
  });
  require(weights_.is_plain() || weights_.examples.size() == size(), ErrorKind::invalid_input,
          "there must be one weight per calibration example");
  for (std::size_t i = 0; i < size(); ++i) {
    kth_nearest_.push_back(nearest_.row(i).back());
    scores_.push_back(sum_in_order(nearest_.row(i)));
  }
  groups_ = sort_by_group(scores_, grouping_, weights_);
}

Calibration Calibration::with_weights(ExampleWeights weights) const {
  return {nearest_, grouping_, num_references_, std::move(weights)};
}

const SortedScores& Calibration::peers(Label y, GroupId input_group) const {
  return groups_[grouping_.of_candidate(y, input_group)];
}

Score Calibration::threshold(const Miscoverage& alpha, std::size_t group, RankRule rule) const {
  require(group <= grouping_.num_groups(), ErrorKind::invalid_input, "group out of range");
  return groups_[group].threshold(alpha, rule);
}

bool Calibration::is_feasible(const Miscoverage& alpha) const {
  const auto known = std::span(groups_).first(grouping_.num_groups());
  return std::ranges::all_of(known,
                             [&](const SortedScores& group) { return group.is_feasible(alpha); });
}

bool Calibration::clips_rank(const Miscoverage& alpha, RankRule rule) const {
  return rule == RankRule::clip && std::ranges::any_of(groups_, [&](const SortedScores& group) {
           return group.size() > 0 && !group.is_feasible(alpha);
         });
}

std::vector<Score> Calibration::label_thresholds(std::size_t num_labels, GroupId input_group,
                                                 const Miscoverage& alpha, RankRule rule) const {
  if (grouping_.kind() != Grouping::Kind::by_label) {
    return std::vector<Score>(num_labels, peers(0, input_group).threshold(alpha, rule));
  }
  std::vector<Score> thresholds(num_labels);
  for (Label y = 0; y < num_labels; ++y) thresholds[y] = peers(y, 0).threshold(alpha, rule);
  return thresholds;
}

std::vector<Score> Calibration::label_scores(const ScoreRows& pools) const {
  require(pools.cols() == num_references_, ErrorKind::invalid_input, [&] {
    return fmt::format("an input has scores under {} references; the calibration has {}",
                       pools.cols(), num_references_);
  });
  std::vector<Score> scores(pools.rows());
  minsum_rows(pools, k(), scores);
  return scores;
}

PredictionSet Calibration::predict_set(const TestInput& input, const Miscoverage& alpha,
                                       RankRule rule) const {
  const std::vector<Score> scores = label_scores(input.pools);
  return labels_at_most(scores, label_thresholds(scores.size(), input.group, alpha, rule));
}

std::vector<Exceedances> Calibration::exceedances(const TestInput& input) const {
  const std::vector<Score> scores = label_scores(input.pools);
  std::vector<Exceedances> result(scores.size());
  for (Label y = 0; y < scores.size(); ++y) {
    result[y] = peers(y, input.group).exceedances(scores[y]);
  }
  return result;
}

std::vector<double> Calibration::predict_p(const TestInput& input) const {
  const std::vector<Exceedances> exceeding = exceedances(input);
  std::vector<double> p_values(exceeding.size());
  for (Label y = 0; y < exceeding.size(); ++y) {
    p_values[y] = p_value(exceeding[y], peers(y, input.group).units());
  }
  return p_values;
}

void check_k(std::size_t k, std::size_t n) {
  require(1 <= k && k <= n - 1, ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} does not fit n = {} labeled examples; k must be 1 to {}", k, n,
                       n - 1);
  });
}

Calibration calibrate(const OwnScores& own, const CalibrationOptions& options) {
  return calibrate(own, Grouping::none(own.size()), options);
}

Calibration calibrate(const OwnScores& own, const Grouping& grouping,
                      const CalibrationOptions& options) {
  check_k(options.k, own.size());
  Matrix<Score> nearest(own.size(), options.k);
  parallel_for(own.size(), rows_per_range, options.threads,
               [&](std::size_t first, std::size_t last) {
                 smallest_rows(own.view().rows_from(first, last - first),
                               nearest.view().rows_from(first, last - first));
               });
  return {std::move(nearest), grouping, own.size()};
}

Matrix<Score> nearest_among(const OwnScores& own, const Indices& rows, const Indices& columns,
                            std::size_t k) {
  Matrix<Score> nearest(rows.size(), k);
  std::vector<Score> pool(columns.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // The diagonal of `own` is +infinity, which leaves the example's own reference out.
    std::ranges::transform(columns, pool.begin(), [&](std::size_t j) { return own(rows[r], j); });
    std::ranges::copy(smallest(pool, k), nearest.row(r).begin());
  }
  return nearest;
}

}  // namespace caos
