#pragma once

#include <cstddef>
#include <span>

#include "caos/dist/communicator.hpp"
#include "caos/text/models/language_model.hpp"
#include "caos/text/score_store.hpp"
#include "caos/text/text_scoring.hpp"

namespace caos {

/// Fills the store with what `TextScorer::score_labeled` would need of these examples, and counts
/// as it does. All ranks compute, each with its own model of the same identity; the first rank
/// alone calls this, and alone uses the store, which gets what comes in at once.
[[nodiscard]] TextScoringTally fill_store_on_ranks(dist::Communicator& ranks,
                                                   const text::LanguageModel& model,
                                                   const text::Question& question,
                                                   text::ScoreStore& store,
                                                   std::span<const text::LabeledText> examples,
                                                   const TextScoringOptions& options);

/// What the other ranks do meanwhile. `threads` as in TextScoringOptions.
void help_to_fill_store(dist::Communicator& ranks, const text::LanguageModel& model,
                        std::size_t threads);

}  // namespace caos
