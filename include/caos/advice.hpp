#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/coverage_law.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Default number of random subsamples of each size.
inline constexpr std::size_t default_repeats = 20;

struct LearningCurveOptions {
  Miscoverage alpha;
  std::size_t k = 3;
  std::size_t repeats = default_repeats;  ///< random subsamples per size
  std::uint64_t seed = 0;
  std::size_t threads = 0;
};

/// The results of CAOS with `n` of the labeled examples.
struct LearningCurvePoint {
  std::size_t n = 0;
  bool feasible = true;
  double mean_set_size = 0;
  double spread = 0;  ///< standard deviation over subsamples, which overlap: not a standard error
  double coverage = 0;
};

/// Calibrates on random subsamples of the labeled examples and predicts the others, for about
/// a quarter, a half, three quarters and nine tenths of them (those that leave k + 1 or more).
[[nodiscard]] std::vector<LearningCurvePoint> learning_curve(const ScoreTensor& labeled,
                                                             std::span<const Label> labels,
                                                             const LearningCurveOptions& options);

/// The most labeled or test examples that `advise` takes: laws are computed term by term.
inline constexpr std::size_t most_examples = 1'000'000;

struct AdviceOptions {
  std::size_t num_test = 100;  ///< test examples on which coverage will be measured
  std::size_t k = CalibrationOptions{}.k;
  std::size_t repeats = default_repeats;  ///< of each point of the learning curve
  std::uint64_t seed = 0;                 ///< of its subsamples
  std::size_t threads = 0;
  Confidence confidence = Confidence::parse(default_confidence);  ///< of one calibration's coverage
};

/// What to expect of n labeled examples and one alpha.
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
  bool from_scores = false;                 ///< whether the curve was computed from scores
  std::vector<LearningCurvePoint> curve{};  ///< empty where there were too few examples
};

/// Requires 2 <= n <= most_examples, and 1 <= num_test <= most_examples.
[[nodiscard]] Advice advise(std::size_t n, const Miscoverage& alpha,
                            const AdviceOptions& options = {});

/// The same with what fewer of these labeled examples would have given. Requires scores [n, K, n]
/// and labels as `OwnScores::of_labeled` does, and 1 <= k <= n - 1.
[[nodiscard]] Advice advise(const ScoreTensor& labeled, std::span<const Label> labels,
                            const Miscoverage& alpha, const AdviceOptions& options = {});

/// How many examples a split method needs for alpha, which calibrates on the larger half of them.
/// Saturates.
[[nodiscard]] std::size_t examples_needed_split(const Miscoverage& alpha);

/// How many more examples make alpha feasible for CAOS; 0 where it is feasible.
[[nodiscard]] std::size_t examples_missing(const Advice& advice);

/// The advice as plain text. An infeasible alpha is reported first, and nothing else is claimed.
[[nodiscard]] std::string text_of(const Advice& advice);

}  // namespace caos
