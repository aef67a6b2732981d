#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "caos/scores.hpp"
#include "caos/verify/score_answers.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// Labeled examples under each other.
struct ScoreExamples {
  ScoreTensor scores{};                  ///< [N, K, N]
  std::vector<Label> labels{};           ///< [N]
  std::optional<ScoreTensor> reverse{};  ///< [N, K, N]: entry (t, y, i) is the score of example i's
                                         ///< own label under the reference (x_t, y)
  bool symmetric = false;                ///< said to be: `reverse` would be `scores`

  [[nodiscard]] bool has_reverse() const { return symmetric || reverse.has_value(); }
};

/// Leave-out trials of every method, and the identities. Throws `invalid_input` where the examples
/// are too few for k or the split.
[[nodiscard]] Verification verify_scores(const ScoreExamples& examples,
                                         const VerifyOptions& options,
                                         const ScoreAnswerer& answerer = answer_scores);

}  // namespace caos
