#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/conformal/calibration.hpp"
#include "caos/conformal/coverage_law.hpp"
#include "caos/conformal/training_conditional.hpp"
#include "caos/core/scores.hpp"
#include "caos/evaluation/learning_curve.hpp"
#include "caos/numerics/miscoverage.hpp"

namespace caos {

/// More labelled or test examples than anybody has; laws are computed term by term.
inline constexpr std::size_t most_examples = 1'000'000;

struct AdviceOptions {
  std::size_t num_test = 100;  ///< test examples that one will read coverage off
  std::size_t k = CalibrationOptions{}.k;
  std::size_t repeats = default_repeats;  ///< of each point of the learning curve
  std::uint64_t seed = 0;                 ///< of its subsamples
  std::size_t threads = 0;
  Confidence confidence = Confidence::parse(default_confidence);  ///< of one calibration's coverage
};

/// All that can be said for n labelled examples and one alpha.
struct Advice {
  std::size_t n = 0;
  Miscoverage alpha;
  SplitCoverageLaw
      caos{};  ///< of n examples: a bound for CAOS, exact for a split with n to calibrate
  SplitCoverageLaw split{};  ///< of the larger half
  /// The rank of Split CAOS with a guarantee for one calibration, of independent draws.
  TrainingConditional conditional{};
  std::size_t conditional_rank = 0;  ///< beyond `split.n` where there is none
  std::size_t num_test = 0;
  bool from_scores = false;                 ///< whether there were scores to draw a curve from
  std::vector<LearningCurvePoint> curve{};  ///< empty where there were too few examples
};

/// Requires 2 <= n <= most_examples, and 1 <= num_test <= most_examples.
[[nodiscard]] Advice advise(std::size_t n, const Miscoverage& alpha,
                            const AdviceOptions& options = {});

/// The same with what fewer of these labelled examples would have given. Requires scores [n, K, n]
/// and labels as `OwnScores::of_labeled` does, and 1 <= k <= n - 1.
[[nodiscard]] Advice advise(const ScoreTensor& labeled, std::span<const Label> labels,
                            const Miscoverage& alpha, const AdviceOptions& options = {});

/// How many examples a split method needs for alpha, which calibrates on the larger half of them.
/// Saturates.
[[nodiscard]] std::size_t examples_needed_split(const Miscoverage& alpha);

/// How many more examples make alpha feasible for CAOS; 0 where it is feasible.
[[nodiscard]] std::size_t examples_missing(const Advice& advice);

/// The advice for people. Where alpha is infeasible it says so first, and claims nothing else.
[[nodiscard]] std::string text_of(const Advice& advice);

}  // namespace caos
