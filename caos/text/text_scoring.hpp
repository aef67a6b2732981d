#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/models/language_model.hpp"
#include "caos/text/score_store.hpp"

namespace caos {

/// How far scoring has come. Pairs are (reference, text); tokens are those evaluated just now.
struct TextScoringProgress {
  std::uint64_t pairs = 0;
  std::uint64_t total_pairs = 0;
  std::uint64_t pairs_from_store = 0;
  std::uint64_t tokens = 0;
};

/// What scoring took.
struct TextScoringTally {
  std::uint64_t pairs = 0;
  std::uint64_t pairs_from_store = 0;
  std::uint64_t shortened = 0;  ///< pairs whose prompt did not fit, from the store or not
  std::uint64_t tokens = 0;     ///< evaluated just now

  TextScoringTally& operator+=(const TextScoringTally& other);
};

/// Adds up what several calls of a scorer tell of their progress.
class TotalProgress {
 public:
  /// How many pairs all calls together will score; if it turns out to be more, that counts.
  void expect(std::uint64_t pairs) { expected_ = pairs; }

  /// The progress of all calls, from that of the present one.
  [[nodiscard]] TextScoringProgress with(const TextScoringProgress& call);

 private:
  std::uint64_t expected_ = 0;
  TextScoringProgress finished_{};  // calls that have ended
};

struct TextScoringOptions {
  Normalization normalization = Normalization::average;
  std::size_t threads = 0;  ///< references at work at once; 0: one per core. Changes no number
  std::function<void(const TextScoringProgress&)> progress{};  ///< called from one thread at a time
};

/// One-shot scores of texts from a language model, by way of a store: what the store knows is not
/// computed again, and what is computed is kept there, one reference and a few dozen texts at a
/// time. The model, the question and the store must outlive it.
class TextScorer {
 public:
  TextScorer(const text::LanguageModel& model, const text::Question& question,
             text::ScoreStore& store, TextScoringOptions options);

  [[nodiscard]] std::size_t num_labels() const { return question_.labels.size(); }

  /// Scores [texts x K, references]: row t K + y holds label y of text t under every reference.
  [[nodiscard]] Matrix<Score> score(std::span<const text::LabeledText> references,
                                    std::span<const std::string> texts);

  /// The same of labelled texts under each other. Nobody needs an example's scores under itself:
  /// they are +infinity.
  [[nodiscard]] Matrix<Score> score_labeled(std::span<const text::LabeledText> examples);

  /// The scores of the own label of every example under each reference: [references, examples].
  [[nodiscard]] Matrix<Score> score_own(std::span<const text::LabeledText> references,
                                        std::span<const text::LabeledText> examples);

  /// What it has done so far.
  [[nodiscard]] const TextScoringTally& tally() const { return tally_; }

 private:
  const text::LanguageModel& model_;
  const text::Question& question_;
  text::ScoreStore& store_;
  TextScoringOptions options_;
  TextScoringTally tally_{};
};

/// What `TextScorer::score_labeled` has left to do, without doing it.
struct TextScoringPlan {
  std::uint64_t pairs = 0;
  std::uint64_t pairs_in_store = 0;
  text::ScoringCost cost{};  ///< of the others
};

[[nodiscard]] TextScoringPlan plan_scoring(const text::LanguageModel& model,
                                           const text::Question& question,
                                           const text::ScoreStore& store,
                                           std::span<const text::LabeledText> examples,
                                           Normalization normalization);

}  // namespace caos
