#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/coverage_law.hpp"
#include "caos/evaluation.hpp"
#include "caos/grouping.hpp"
#include "caos/guarantee.hpp"
#include "caos/method.hpp"
#include "caos/scores.hpp"
#include "caos/split.hpp"
#include "caos/test_inputs.hpp"

namespace caos {

/// Labeled and test examples of one task, as scores.
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
  Grouping grouping;           ///< of the labeled examples
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
  std::optional<Score> threshold{};   ///< absent unless a single one decides
  bool feasible = true;
  std::optional<TrainingConditional> conditional{};  ///< sets the rank, if not alpha alone
  Evaluation evaluation{};
  std::vector<Outcome> outcomes{};  ///< one per test example
  std::vector<GroupResult> groups{};
};

/// Throws `invalid_input`, naming both, unless test and labeled examples have as many labels.
void check_num_labels(const ScoreTensor& test, const ScoreTensor& labeled);

/// Runs every method at every alpha on the test examples; results are in the order of `methods`,
/// then of `alphas`. Test scores are read once, input by input, for all methods together.
/// Throws `invalid_input` if shapes disagree, k is too large or a method lacks its input, and
/// `bad_format` for NaN and other invalid scores. Thread-safe; the bundle is only read.
[[nodiscard]] std::vector<MethodResult> evaluate(const ScoreBundle& bundle,
                                                 const EvaluateOptions& options);

/// Default seed of the random halving for the split methods.
inline constexpr std::uint64_t default_halving_seed = 0;

/// The data of an evaluation, besides the scores of own labels and of test examples.
struct AvailableInputs {
  bool labeled = false;  ///< the scores of every label of the labeled examples
  bool reverse = false;  ///< reverse scores, or scores that are symmetric
  bool groups = false;
};

/// The reason why a method cannot run.
enum class Obstacle {
  no_labeled,     ///< SCOS Best looks at every label of the labeled examples
  no_reverse,     ///< Full CAOS needs reverse scores
  no_group_form,  ///< SCOS has no form with groups
};

/// Nothing if the method can run on such inputs.
[[nodiscard]] std::optional<Obstacle> obstacle_to(Method method, const AvailableInputs& inputs);

/// The methods to evaluate by default, and why others are missing.
struct PossibleMethods {
  std::vector<Method> methods{};
  std::vector<std::string> left_out{};  ///< one sentence for each that k leaves out
};

/// All methods that the inputs allow, in the order of `all_methods`, but for those that have too
/// few references for k.
[[nodiscard]] PossibleMethods possible_methods(const AvailableInputs& inputs,
                                               const split::Partition& partition, std::size_t k);

}  // namespace caos
