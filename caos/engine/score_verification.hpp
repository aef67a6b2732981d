#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "caos/core/scores.hpp"
#include "caos/engine/score_answers.hpp"
#include "caos/engine/verification.hpp"

namespace caos {

/// Labelled examples under each other.
struct ScoreExamples {
  ScoreTensor scores{};                  ///< [N, K, N]
  std::vector<Label> labels{};           ///< [N]
  std::optional<ScoreTensor> reverse{};  ///< [N, K, N]: entry (t, y, i) is the score of example i's
                                         ///< own label under the reference (x_t, y)
  bool symmetric = false;                ///< said to be: `reverse` would be `scores`

  [[nodiscard]] bool has_reverse() const { return symmetric || reverse.has_value(); }
};

struct VerifyOptions {
  std::vector<Method> methods{};  ///< none: all that the examples allow
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::size_t splits = 100;
  std::size_t test_size = 0;  ///< of each split; 0: a quarter
  std::uint64_t seed = 0;     ///< of the first split
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// How many of so many examples are tested where nobody says.
[[nodiscard]] std::size_t default_num_tested(std::size_t count);

/// Leave-out trials of every method, and the identities. Throws `invalid_input` where the examples
/// are too few for k or the split.
[[nodiscard]] Verification verify_scores(const ScoreExamples& examples,
                                         const VerifyOptions& options,
                                         const ScoreAnswerer& answerer = answer_scores);

}  // namespace caos
