#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/core/scores.hpp"
#include "caos/numerics/miscoverage.hpp"

namespace caos {

/// Random subsamples of each size, where nobody says how many.
inline constexpr std::size_t default_repeats = 20;

struct LearningCurveOptions {
  Miscoverage alpha;
  std::size_t k = 3;
  std::size_t repeats = default_repeats;  ///< random subsamples per size
  std::uint64_t seed = 0;
  std::size_t threads = 0;
};

/// What CAOS would have given with `n` labelled examples.
struct LearningCurvePoint {
  std::size_t n = 0;
  bool feasible = true;
  double mean_set_size = 0;
  double spread = 0;  ///< standard deviation over subsamples, which overlap: not a standard error
  double coverage = 0;
};

/// Calibrates on random subsamples of the labelled examples and predicts the others, for about
/// a quarter, a half, three quarters and nine tenths of them (those that leave k + 1 or more).
[[nodiscard]] std::vector<LearningCurvePoint> learning_curve(const ScoreTensor& labeled,
                                                             std::span<const Label> labels,
                                                             const LearningCurveOptions& options);

}  // namespace caos
