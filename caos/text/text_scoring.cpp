#include "caos/text/text_scoring.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/text/text_chunks.hpp"
#include "caos/text/text_pairs.hpp"

namespace caos {
namespace {

/// Likelihoods by way of the store.
class Likelihoods {
 public:
  Likelihoods(const text::LanguageModel& model, text::ScoreStore& store, TextCounter& counter)
      : model_(model), store_(store), counter_(counter) {}

  /// Those of all texts after the reference.
  KnownTexts of(const text::LabeledText& reference, std::span<const std::string> texts) {
    KnownTexts known = store_.find(reference, texts);
    counter_.count(known, true);
    for (const Indices& chunk : missing_chunks(known)) {
      KnownTexts found = of_chunk(reference, gather(texts, chunk));
      for (std::size_t c = 0; c < chunk.size(); ++c) known[chunk[c]] = std::move(found[c]);
    }
    return known;
  }

 private:
  KnownTexts of_chunk(const text::LabeledText& reference, const std::vector<std::string>& texts) {
    // Hours may have passed since the first look, and another process may work on the same.
    KnownTexts known = store_.find(reference, texts);
    counter_.count(known, true);
    for (const Indices& missing : missing_chunks(known)) {
      compute(reference, gather(texts, missing), missing, known);
    }
    return known;
  }

  void compute(const text::LabeledText& reference, const std::vector<std::string>& texts,
               const Indices& positions, KnownTexts& known) {
    std::vector<text::ScoredText> scored = model_.score(reference, texts);
    store_.add(reference, texts, scored);
    counter_.count(KnownTexts(scored.begin(), scored.end()), false);
    for (std::size_t c = 0; c < positions.size(); ++c) known[positions[c]] = std::move(scored[c]);
  }

  const text::LanguageModel& model_;
  text::ScoreStore& store_;
  TextCounter& counter_;
};

/// Where the scores of all labels of a text under a reference go.
using Place = std::function<void(std::size_t reference, std::size_t text, std::span<const Score>)>;

/// Turns the likelihoods of one reference into scores.
void place_scores(const TextPairs& pairs, std::size_t r, const KnownTexts& known,
                  Normalization normalization, std::span<const std::string> labels,
                  const Place& place) {
  std::vector<Score> scores(labels.size());
  pairs.for_each_place(r, [&](std::size_t position, std::size_t reference, std::size_t text) {
    // For pmi the first one is the empty text; the others do not look at it.
    nonconformity(normalization, labels, known[position]->labels, known.front()->labels, scores);
    place(reference, text, scores);
  });
}

/// What a scorer works with.
struct Means {
  const text::LanguageModel& model;
  const text::Question& question;
  text::ScoreStore& store;
  const TextScoringOptions& options;
  TextScoringTally& tally;
};

/// Scores every pair, on several threads, each of them one reference at a time.
void score_pairs(const Means& means, std::span<const text::LabeledText> references,
                 std::span<const std::string> texts, bool skip_own, const Place& place) {
  check_labels(references, means.question.labels.size(), "reference");
  const Normalization normalization = means.options.normalization;
  const TextPairs pairs(
      references, texts,
      {.skip_own = skip_own, .with_no_text = normalization == Normalization::pmi});
  TextCounter counter(means.tally, pairs.size(), means.options.progress);
  Likelihoods likelihoods(means.model, means.store, counter);
  parallel_for(pairs.num_references(), 1, means.options.threads, [&](std::size_t r, std::size_t) {
    const KnownTexts known = likelihoods.of(pairs.reference(r), pairs.texts_of(r));
    place_scores(pairs, r, known, normalization, means.question.labels.names(), place);
  });
}

/// Scores of all labels: [texts x K, references].
Matrix<Score> score_all(const Means& means, std::span<const text::LabeledText> references,
                        std::span<const std::string> texts, bool skip_own) {
  const std::size_t num_labels = means.question.labels.size();
  Matrix<Score> scores(texts.size() * num_labels, references.size(),
                       std::numeric_limits<Score>::infinity());
  score_pairs(means, references, texts, skip_own,
              [&](std::size_t reference, std::size_t text, std::span<const Score> of_labels) {
                for (std::size_t y = 0; y < num_labels; ++y) {
                  scores(text * num_labels + y, reference) = of_labels[y];
                }
              });
  return scores;
}

}  // namespace

TextScoringTally& TextScoringTally::operator+=(const TextScoringTally& other) {
  pairs += other.pairs;
  pairs_from_store += other.pairs_from_store;
  shortened += other.shortened;
  tokens += other.tokens;
  return *this;
}

TextScoringProgress TotalProgress::with(const TextScoringProgress& call) {
  TextScoringProgress total{.pairs = finished_.pairs + call.pairs,
                            .total_pairs = std::max(expected_, finished_.pairs + call.total_pairs),
                            .pairs_from_store = finished_.pairs_from_store + call.pairs_from_store,
                            .tokens = finished_.tokens + call.tokens};
  if (call.pairs == call.total_pairs) finished_ = total;
  return total;
}

TextScorer::TextScorer(const text::LanguageModel& model, const text::Question& question,
                       text::ScoreStore& store, TextScoringOptions options)
    : model_(model), question_(question), store_(store), options_(std::move(options)) {}

Matrix<Score> TextScorer::score(std::span<const text::LabeledText> references,
                                std::span<const std::string> texts) {
  return score_all({model_, question_, store_, options_, tally_}, references, texts, false);
}

Matrix<Score> TextScorer::score_labeled(std::span<const text::LabeledText> examples) {
  const std::vector<std::string> texts = texts_of(examples);
  return score_all({model_, question_, store_, options_, tally_}, examples, texts, true);
}

Matrix<Score> TextScorer::score_own(std::span<const text::LabeledText> references,
                                    std::span<const text::LabeledText> examples) {
  check_labels(examples, num_labels(), "example");
  Matrix<Score> scores(references.size(), examples.size());
  score_pairs({model_, question_, store_, options_, tally_}, references, texts_of(examples), false,
              [&](std::size_t reference, std::size_t example, std::span<const Score> of_labels) {
                scores(reference, example) = of_labels[examples[example].label];
              });
  return scores;
}

TextScoringPlan plan_scoring(const text::LanguageModel& model, const text::Question& question,
                             const text::ScoreStore& store,
                             std::span<const text::LabeledText> examples,
                             Normalization normalization) {
  check_labels(examples, question.labels.size(), "example");
  const std::vector<std::string> all_texts = texts_of(examples);
  const TextPairs pairs(examples, all_texts,
                        {.skip_own = true, .with_no_text = normalization == Normalization::pmi});
  TextScoringPlan plan;
  for (std::size_t r = 0; r < pairs.num_references(); ++r) {
    const std::vector<std::string> texts = pairs.texts_of(r);
    const KnownTexts known = store.find(pairs.reference(r), texts);
    plan.pairs += texts.size();
    plan.pairs_in_store += static_cast<std::uint64_t>(
        std::ranges::count_if(known, [](const auto& text) { return text.has_value(); }));
    for (const Indices& chunk : missing_chunks(known)) {
      plan.cost += model.cost(pairs.reference(r), gather(texts, chunk));
    }
  }
  return plan;
}

}  // namespace caos
