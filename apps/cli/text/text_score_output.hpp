#pragma once

#include <string>

#include "apps/cli/program.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/text/text_session.hpp"

namespace caos::cli {

/// What `text score` did.
struct TextScoreOutput {
  const LabeledTable& table;
  ScoringReport scoring{};
};

/// What `text score --dry-run` found out.
struct TextPlanOutput {
  const LabeledTable& table;
  std::string model{};
  std::string description{};
  std::string normalization{};
  TextForecast forecast{};
};

/// The same with an encoder.
struct EncoderPlanOutput {
  const LabeledTable& table;
  std::string model{};
  std::string description{};
  std::size_t to_embed = 0;  ///< different texts, and labels
  std::string destination{};
};

[[nodiscard]] Json to_json(const EncoderPlanOutput& output);
[[nodiscard]] std::string to_text(const EncoderPlanOutput& output);
[[nodiscard]] Json to_json(const TextScoreOutput& output);
[[nodiscard]] std::string to_text(const TextScoreOutput& output);
[[nodiscard]] Json to_json(const TextPlanOutput& output);
[[nodiscard]] std::string to_text(const TextPlanOutput& output);

}  // namespace caos::cli
