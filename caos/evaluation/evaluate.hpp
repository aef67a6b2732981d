#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "caos/conformal/evaluation.hpp"
#include "caos/conformal/grouping.hpp"
#include "caos/conformal/guarantee.hpp"
#include "caos/conformal/method.hpp"
#include "caos/conformal/own_scores.hpp"
#include "caos/conformal/split.hpp"
#include "caos/conformal/training_conditional.hpp"
#include "caos/core/scores.hpp"
#include "caos/evaluation/test_inputs.hpp"

namespace caos {

/// Labelled and test examples of one task, as scores.
struct ScoreBundle {
  OwnScores own;
  TestInputs inputs;
  std::vector<Label> test_labels;  ///< `unlisted_label`: not among the labels, so always missed
  std::optional<ScoreTensor> labeled{};  ///< [n, K, n]; only SCOS Best needs it
};

struct EvaluateOptions {
  std::vector<Method> methods;
  std::vector<Miscoverage> alphas;
  std::size_t k = 3;
  Grouping grouping;           ///< of the labelled examples
  split::Partition partition;  ///< for the split methods
  RankRule rule = RankRule::every_label;
  /// Split CAOS with a guarantee for this calibration; without groups and clipping only.
  std::optional<TrainingConditional> conditional{};
  std::size_t threads = 0;  ///< 0: one per core; results do not depend on it
  std::function<void(std::size_t done, std::size_t total)>
      progress{};  ///< called from one thread at a time
};

/// One group of one result; n = 0 for a group that only test examples are in.
struct GroupResult {
  GroupId id = 0;
  std::size_t n = 0;  ///< calibration examples
  std::size_t rank = 0;
  std::optional<Score> threshold;  ///< nothing for Full CAOS, which has one for each candidate
  bool feasible = true;
  std::size_t num_test = 0;  ///< test examples of this group (by label: with this label)
  std::optional<Evaluation> evaluation;  ///< nothing without test examples
};

/// One method at one alpha.
struct MethodResult {
  Method method;
  Miscoverage alpha;
  Guarantee guarantee{};
  std::optional<std::size_t> rank{};  ///< nothing where groups have their own
  std::optional<Score> threshold{};   ///< nothing where there is no single one
  bool feasible = true;
  std::optional<TrainingConditional> conditional{};  ///< what set the rank, if not alpha alone
  Evaluation evaluation{};
  std::vector<Outcome> outcomes{};  ///< one per test example
  std::vector<GroupResult> groups{};
};

/// Throws `invalid_input`, naming both, unless test and labelled examples have as many labels.
void check_num_labels(const ScoreTensor& test, const ScoreTensor& labeled);

/// Runs every method at every alpha on the test examples; results are in the order of `methods`,
/// then of `alphas`. Test scores are read once, input by input, whatever the number of methods.
/// Throws if shapes disagree, something is no score, k does not fit, or a method lacks its input.
[[nodiscard]] std::vector<MethodResult> evaluate(const ScoreBundle& bundle,
                                                 const EvaluateOptions& options);

}  // namespace caos
