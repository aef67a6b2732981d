#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/program.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/text_forecast.hpp"

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
  ScoredTable table{};
  std::string model{};
  std::string description{};
  std::string normalization{};
  TextForecast forecast{};
};

[[nodiscard]] Json to_json(const TextScoreOutput& output);
[[nodiscard]] std::string to_text(const TextScoreOutput& output);
[[nodiscard]] Json to_json(const TextPlanOutput& output);
[[nodiscard]] std::string to_text(const TextPlanOutput& output);

}  // namespace caos::cli
