#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caos/text/text_evaluation.hpp"

namespace caos {

struct TextExperimentOptions {
  std::vector<Method> methods{};
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::size_t test_size = default_test_size;
  std::vector<std::uint64_t> seeds{};
  RankRule rule = RankRule::every_label;
  std::size_t threads = 0;
};

/// One method at one alpha on one task, in every split.
struct TextExperimentResult {
  Method method;
  Miscoverage alpha;
  Guarantee guarantee{};
  bool feasible = true;
  std::vector<double> coverage{};              ///< by seed
  std::vector<double> mean_set_size{};         ///< by seed
  std::vector<double> singleton_rate{};        ///< by seed
  std::vector<double> empty_rate{};            ///< by seed
  std::vector<Indices> tested{};               ///< by seed: the test texts
  std::vector<std::vector<double>> covered{};  ///< by seed, then test text: 1 where the set holds
                                               ///< the truth; an average over references for SCOS

  [[nodiscard]] double mean_coverage() const;
  [[nodiscard]] double mean_size() const;
  /// The standard error over seeds: how other splits of the same table would differ. For new texts
  /// it is too small if anything, as splits of one table overlap. Nothing for one seed.
  [[nodiscard]] std::optional<double> coverage_error() const;
  [[nodiscard]] std::optional<double> size_error() const;
  /// A 95 % interval for the coverage that knows that test texts come again in other splits and
  /// that texts of one split share their calibration (docs/project/theory.md, section 12). It
  /// claims at most as much as so many independent tests as there are distinct test texts. With one
  /// seed it is that of Clopper and Pearson for whole outcomes.
  [[nodiscard]] Interval coverage_interval() const;
};

struct TextTaskExperiment {
  std::string task{};
  std::size_t num_labels = 0;
  std::size_t num_examples = 0;
  std::vector<TextExperimentResult> results{};  ///< by method, then alpha
};

/// What methods do on one split.
using SplitEvaluator = std::function<std::vector<MethodResult>(const TextSplit& split)>;

/// The paper's experiment on one task: splits by seed of its texts, evaluated by `evaluate`.
/// Requires a seed.
[[nodiscard]] TextTaskExperiment run_text_experiment(const std::string& task,
                                                     std::size_t num_examples,
                                                     std::size_t num_labels,
                                                     const TextExperimentOptions& options,
                                                     const SplitEvaluator& evaluate);

/// The same from scores: splits by seed of all scores [N, K, N]. Requires a seed, a
/// method and an alpha.
[[nodiscard]] TextTaskExperiment run_text_experiment(const std::string& task,
                                                     const ScoreTensor& scores,
                                                     std::span<const Label> labels,
                                                     const TextExperimentOptions& options,
                                                     const ReverseScorer& reverse = {});

/// How the methods of an experiment are evaluated on a split.
[[nodiscard]] EvaluateOptions evaluate_options(const TextExperimentOptions& options);

/// Which method reaches the target coverage of a task, as the paper's figure groups tasks.
enum class ReachesTarget { both, caos_only, scos_only, neither };

/// Whether the mean coverages of CAOS and SCOS are at least 1 - alpha. Averages of the same whole
/// numbers in different orders may differ in the last bits, so 10^-9 less is forgiven; coverages
/// are multiples of 1 over the number of sets, far coarser. Throws `invalid_input` if the task was
/// not run with both methods at this alpha.
[[nodiscard]] ReachesTarget reaches_target(const TextTaskExperiment& task,
                                           const Miscoverage& alpha);

/// The result of a method at an alpha, or null.
[[nodiscard]] const TextExperimentResult* find_result(const TextTaskExperiment& task, Method method,
                                                      const Miscoverage& alpha);

}  // namespace caos
