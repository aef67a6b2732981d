#include "caos/text/text_forecast.hpp"

#include <algorithm>
#include <chrono>

namespace caos {
namespace {

/// Scores a few pairs as the whole would be.
TextForecast::Measured measure(const TextSession& session,
                               std::span<const text::LabeledText> examples) {
  constexpr std::size_t few = 4;  // references, and texts of each
  const std::size_t count = std::min(few, examples.size());
  std::vector<std::string> texts;
  for (const text::LabeledText& example : examples.last(count)) texts.push_back(example.text);
  text::ScoreStore memory = text::ScoreStore::in_memory(session.model(), session.question());
  TextScorer scorer(session.model(), session.question(), memory, session.scoring_options({}));
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(scorer.score(examples.first(count), texts));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {.pairs = count * count, .tokens = scorer.tally().tokens, .seconds = taken.count()};
}

}  // namespace

std::optional<double> TextForecast::estimated_seconds() const {
  if (!measured) return std::nullopt;
  const bool by_tokens = measured->tokens > 0 && plan.cost.tokens > 0;
  const double share =
      by_tokens ? static_cast<double>(plan.cost.tokens) / static_cast<double>(measured->tokens)
                : static_cast<double>(pairs_to_compute()) / static_cast<double>(measured->pairs);
  return measured->seconds * share;
}

TextForecast forecast_scoring(TextSession& session, std::span<const text::LabeledText> examples) {
  const TextSessionOptions& options = session.options();
  TextForecast forecast{.plan = plan_scoring(session.model(), session.question(), session.store(),
                                             examples, options.normalization),
                        .num_labels = session.question().labels.size(),
                        .measured = {},
                        .destination = text::destination_of(options.model)};
  if (!options.model.starts_with("server:") && forecast.pairs_to_compute() > 0) {
    forecast.measured = measure(session, examples);
  }
  return forecast;
}

}  // namespace caos
