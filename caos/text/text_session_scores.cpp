#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/scorers/log_likelihood.hpp"
#include "caos/text/text_pairs.hpp"
#include "caos/text/text_session.hpp"

namespace caos {
namespace {

/// Likelihoods from the store, or from the model into the store.
class Likelihoods {
 public:
  Likelihoods(const TextSession& session, TextCounter& counter)
      : model_(session.model()), store_(session.store()), counter_(counter) {}

  /// Those of all texts after the reference.
  KnownTexts of(const text::LabeledText& reference, std::span<const std::string> texts) {
    KnownTexts known = find(reference, texts);
    for (const Indices& chunk : missing_chunks(known)) {
      KnownTexts found = of_chunk(reference, gather(texts, chunk));
      for (std::size_t c = 0; c < chunk.size(); ++c) known[chunk[c]] = std::move(found[c]);
    }
    return known;
  }

 private:
  KnownTexts find(const text::LabeledText& reference, std::span<const std::string> texts) {
    KnownTexts known = store_.find(reference, texts);
    counter_.count(known, true);
    return known;
  }

  KnownTexts of_chunk(const text::LabeledText& reference, const std::vector<std::string>& texts) {
    // Hours may have passed since the first look, and another process may work on the same.
    KnownTexts known = find(reference, texts);
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

}  // namespace

TextScoringTally& TextScoringTally::operator+=(const TextScoringTally& other) {
  pairs += other.pairs;
  pairs_from_store += other.pairs_from_store;
  shortened += other.shortened;
  tokens += other.tokens;
  return *this;
}

/// On several threads, each of them one reference at a time.
void TextSession::score_pairs(std::span<const text::LabeledText> references,
                              std::span<const std::string> texts, bool skip_own,
                              const Place& place) {
  check_labels(references, labels().size(), "reference");
  const Normalization normalization = options_.normalization;
  const TextPairs pairs(references, texts, {.normalization = normalization, .skip_own = skip_own});
  TextCounter counter(tally_, std::max(expected_pairs_, tally_.pairs + pairs.size()), progress_);
  Likelihoods likelihoods(*this, counter);
  parallel_for(pairs.num_references(), 1, threads(), [&](std::size_t r, std::size_t) {
    const KnownTexts known = likelihoods.of(pairs.reference(r), pairs.texts_of(r));
    std::vector<Score> scores(labels().size());
    pairs.for_each_place(r, [&](std::size_t position, std::size_t reference, std::size_t text) {
      // For pmi the first one is the empty text; the others do not look at it.
      nonconformity(normalization, labels().names(), known[position]->labels, known.front()->labels,
                    scores);
      place(reference, text, scores);
    });
  });
}

/// Scores of all labels: [texts x K, references].
Matrix<Score> TextSession::score_all(std::span<const text::LabeledText> references,
                                     std::span<const std::string> texts, bool skip_own) {
  const std::size_t num_labels = labels().size();
  Matrix<Score> scores(texts.size() * num_labels, references.size(),
                       std::numeric_limits<Score>::infinity());
  score_pairs(references, texts, skip_own,
              [&](std::size_t reference, std::size_t text, std::span<const Score> of_labels) {
                for (std::size_t y = 0; y < num_labels; ++y) {
                  scores(text * num_labels + y, reference) = of_labels[y];
                }
              });
  return scores;
}

Matrix<Score> TextSession::score(std::span<const text::LabeledText> references,
                                 std::span<const std::string> texts) {
  return score_all(references, texts, false);
}

Matrix<Score> TextSession::score_labeled(std::span<const text::LabeledText> examples) {
  return score_all(examples, texts_of(examples), true);
}

Matrix<Score> TextSession::score_own(std::span<const text::LabeledText> references,
                                     std::span<const text::LabeledText> examples) {
  check_labels(examples, labels().size(), "example");
  Matrix<Score> scores(references.size(), examples.size());
  score_pairs(references, texts_of(examples), false,
              [&](std::size_t reference, std::size_t example, std::span<const Score> of_labels) {
                scores(reference, example) = of_labels[examples[example].label];
              });
  return scores;
}

TextScoringPlan TextSession::plan(std::span<const text::LabeledText> examples) const {
  check_labels(examples, labels().size(), "example");
  const std::vector<std::string> all_texts = texts_of(examples);
  const TextPairs pairs(examples, all_texts,
                        {.normalization = options_.normalization, .skip_own = true});
  TextScoringPlan plan;
  for (std::size_t r = 0; r < pairs.num_references(); ++r) {
    const std::vector<std::string> texts = pairs.texts_of(r);
    const KnownTexts known = store().find(pairs.reference(r), texts);
    plan.pairs += texts.size();
    plan.pairs_in_store += static_cast<std::uint64_t>(
        std::ranges::count_if(known, [](const auto& text) { return text.has_value(); }));
    for (const Indices& chunk : missing_chunks(known)) {
      plan.cost += model().cost(pairs.reference(r), gather(texts, chunk));
    }
  }
  return plan;
}

TextForecast TextSession::forecast(std::span<const text::LabeledText> examples) const {
  TextForecast forecast{.plan = plan(examples),
                        .num_labels = labels().size(),
                        .measured = {},
                        .destination = text::destination_of(options_.model)};
  if (text::is_server(options_.model) || forecast.pairs_to_compute() == 0) return forecast;

  constexpr std::size_t few = 4;  // references, and texts of each
  const std::size_t count = std::min(few, examples.size());
  TextSessionOptions in_memory = options_;
  in_memory.store.clear();
  TextSession trial(std::move(in_memory), source_->model);
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(trial.score(examples.first(count), texts_of(examples.last(count))));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  forecast.measured = TextForecast::Measured{
      .pairs = count * count, .tokens = trial.tally().tokens, .seconds = taken.count()};
  return forecast;
}

std::optional<double> TextForecast::estimated_seconds() const {
  if (!measured) return std::nullopt;
  const bool by_tokens = measured->tokens > 0 && plan.cost.tokens > 0;
  const double share =
      by_tokens ? static_cast<double>(plan.cost.tokens) / static_cast<double>(measured->tokens)
                : static_cast<double>(pairs_to_compute()) / static_cast<double>(measured->pairs);
  return measured->seconds * share;
}

}  // namespace caos
