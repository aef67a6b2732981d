#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "caos/text/text_session.hpp"

namespace caos {

/// What scoring labelled texts under each other would take, and who would see them.
struct TextForecast {
  /// How fast a few pairs were scored.
  struct Measured {
    std::uint64_t pairs = 0;
    std::uint64_t tokens = 0;
    double seconds = 0;
  };

  TextScoringPlan plan{};
  std::size_t num_labels = 0;
  std::optional<Measured> measured{};
  std::string destination{};  ///< where texts would go; empty: nowhere

  [[nodiscard]] std::uint64_t pairs_to_compute() const { return plan.pairs - plan.pairs_in_store; }
  [[nodiscard]] std::uint64_t prompts() const { return pairs_to_compute() * num_labels; }
  /// A server may have to be shown texts before anybody knows whether they fit.
  [[nodiscard]] bool knows_shortened() const {
    return plan.cost.requests == 0 || plan.cost.shortened > 0;
  }
  /// Nothing where nothing was measured.
  [[nodiscard]] std::optional<double> estimated_seconds() const;
};

/// Scores a few pairs to see how long that takes, and keeps nothing of it; but sends nothing to a
/// server.
[[nodiscard]] TextForecast forecast_scoring(TextSession& session,
                                            std::span<const text::LabeledText> examples);

}  // namespace caos
