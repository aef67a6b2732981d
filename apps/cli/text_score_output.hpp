#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "caos/engine/text_scoring.hpp"
#include "program.hpp"
#include "text_scores.hpp"

namespace caos::cli {

/// The table that is scored.
struct ScoredTable {
  std::string name{};
  std::size_t num_texts = 0;
  std::size_t num_labels = 0;
  std::string labels_from{};
};

/// What `text score` did.
struct TextScoreOutput {
  ScoredTable table{};
  ScoringReport scoring{};
};

/// What `text score --dry-run` found out.
struct TextPlanOutput {
  /// How fast a few pairs were scored.
  struct Measured {
    std::uint64_t pairs = 0;
    std::uint64_t tokens = 0;
    double seconds = 0;
  };

  ScoredTable table{};
  std::string model{};
  std::string description{};
  std::string normalization{};
  TextScoringPlan plan{};
  std::string destination{};  ///< where texts would go; empty: nowhere
  std::optional<Measured> measured{};

  [[nodiscard]] std::uint64_t pairs_to_compute() const { return plan.pairs - plan.pairs_in_store; }
  /// Nothing where nothing was measured.
  [[nodiscard]] std::optional<double> estimated_seconds() const;
};

[[nodiscard]] Json to_json(const TextScoreOutput& output);
[[nodiscard]] std::string to_text(const TextScoreOutput& output);
[[nodiscard]] Json to_json(const TextPlanOutput& output);
[[nodiscard]] std::string to_text(const TextPlanOutput& output);

}  // namespace caos::cli
