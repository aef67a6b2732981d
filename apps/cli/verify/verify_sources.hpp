#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/classify/vector_inputs.hpp"
#include "apps/cli/classify/vector_method_options.hpp"
#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/landmarks/score_options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "apps/cli/text/text_scoring_options.hpp"
#include "caos/verify/verification.hpp"

namespace caos::cli {

struct VerifyCommandOptions {
  CommonOptions common;
  std::string labeled;
  std::string labels;
  ReverseOptions reverse;
  AnnotationFileOptions annotations;
  EmbeddingOptions embedding;
  ScoreOption score{.text = paper_score};  // which has full-caos
  TrainOptions train;
  ScoringOptions scoring;
  TrainVectorOptions vectors;
  VectorMethodOptions how;
  std::vector<std::string> alphas = {default_alpha};
  std::vector<std::string> methods;
  std::size_t k = VerifyOptions{}.k;
  std::size_t splits = 0;  ///< 0: as many as suit the source
  std::size_t test_size = 0;
  std::uint64_t seed = VerifyOptions{}.seed;
  std::size_t threads = 0;
};

// As many splits as take some seconds.
inline constexpr std::size_t splits_of_scores = 200;
inline constexpr std::size_t splits_of_images = 40;

[[nodiscard]] bool has_arrays(const VerifyCommandOptions& options);
[[nodiscard]] bool has_images(const VerifyCommandOptions& options);
[[nodiscard]] bool has_texts(const VerifyCommandOptions& options);
[[nodiscard]] bool has_vectors(const VerifyCommandOptions& options);

[[nodiscard]] bool asks_for_full(const VerifyCommandOptions& options);

/// Verifies what the options name, or synthetic scores and faces.
[[nodiscard]] std::vector<Verification> verify_sources(const VerifyCommandOptions& options,
                                                       Manifest& manifest);

}  // namespace caos::cli
