#include "caos/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

std::vector<double> checked_weights(std::vector<double> weights, std::size_t num_tasks) {
  if (weights.empty()) weights.assign(num_tasks, 1.0);
  require(num_tasks > 0 && weights.size() == num_tasks, ErrorKind::invalid_input, [&] {
    return fmt::format("{} weights were given for {} tasks; give one per task", weights.size(),
                       num_tasks);
  });
  const bool positive =
      std::ranges::all_of(weights, [](double w) { return w > 0 && std::isfinite(w); });
  require(positive, ErrorKind::invalid_input, "the weight of a task must be a positive number");
  return weights;
}

/// The largest weighted score over the tasks that example i has; nothing if it has none.
std::optional<Score> largest_score(const Matrix<Score>& scores, std::span<const double> weights,
                                   std::size_t i) {
  std::optional<Score> largest;
  for (std::size_t task = 0; task < weights.size(); ++task) {
    if (std::isnan(scores(task, i))) continue;
    const Score weighted = weights[task] * scores(task, i);
    largest = largest ? std::max(*largest, weighted) : weighted;
  }
  return largest;
}

SortedScores joint_scores(const Matrix<Score>& scores, std::span<const double> weights,
                          const ExampleWeights& examples) {
  std::vector<Score> joint;
  Indices with_a_task;
  for (std::size_t i = 0; i < scores.cols(); ++i) {
    const auto score = largest_score(scores, weights, i);
    if (!score) continue;
    joint.push_back(*score);
    with_a_task.push_back(i);
  }
  check_scores(joint, "joint scores");
  return {std::move(joint), examples.at(with_a_task)};
}

}  // namespace

JointCalibration::JointCalibration(const Matrix<Score>& scores, std::vector<double> weights,
                                   const ExampleWeights& examples)
    : weights_(checked_weights(std::move(weights), scores.rows())),
      scores_(joint_scores(scores, weights_, examples)) {}

Score JointCalibration::threshold(const Miscoverage& alpha, RankRule rule) const {
  return scores_.threshold(alpha, rule);
}

Guarantee JointCalibration::guarantee(const Miscoverage& alpha, RankRule rule) const {
  if (rule == RankRule::clip && !scores_.is_feasible(alpha)) {
    return {Guarantee::Kind::none, "too few examples for alpha, and the rank was clipped"};
  }
  return {Guarantee::Kind::simultaneous, {}};
}

double JointCalibration::weight_of(std::size_t task) const {
  require(task < weights_.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("task {} is out of range; tasks are 0 to {}", task, weights_.size() - 1);
  });
  return weights_[task];
}

PredictionSet JointCalibration::predict_set(std::size_t task, std::span<const Score> label_scores,
                                            const Miscoverage& alpha, RankRule rule) const {
  const double weight = weight_of(task);
  const Score limit = threshold(alpha, rule);
  PredictionSet set;
  for (Label y = 0; y < label_scores.size(); ++y) {
    if (weight * label_scores[y] <= limit) set.push_back(y);
  }
  return set;
}

std::vector<double> JointCalibration::predict_p(std::size_t task,
                                                std::span<const Score> label_scores) const {
  const double weight = weight_of(task);
  std::vector<double> p_values;
  for (const Score score : label_scores) {
    p_values.push_back(p_value(scores_.exceedances(weight * score), scores_.units()));
  }
  return p_values;
}

}  // namespace caos
