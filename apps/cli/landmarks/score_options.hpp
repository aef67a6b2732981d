#pragma once

#include <string>

#include "apps/cli/landmarks/landmark_inputs.hpp"

namespace caos::cli {

/// `--score`, with the default parameter of the backbone, and `--cell`.
struct ScoreOption {
  std::string text{};  ///< empty: the default
  std::string cell{};  ///< empty: what suits the score

  /// Fills in defaults; aligned and rotated images have patches only. Notes a default score other
  /// than the usual one.
  void settle(const CommonOptions& common, EmbeddingOptions& embedding);
  /// The same for arrays, whose labels are patches. `has_grid`: whether they say how these lie.
  void settle_for_arrays(bool has_grid);
  [[nodiscard]] PatchScore parse(const std::string& backbone) const;
  /// Whether the parameter is another than the backbone's default.
  [[nodiscard]] bool has_own_parameter(const std::string& backbone) const;
};

void add_score_option(Command& command, ScoreOption& option);
void add_cell_option(Command& command, ScoreOption& option);

}  // namespace caos::cli
