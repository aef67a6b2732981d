#include "caos/text/shared_text_scoring.hpp"

#include <map>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/text/text_chunks.hpp"
#include "caos/text/text_pairs.hpp"

namespace caos {
namespace {

/// A reference and some texts that the store does not know after it: a piece of work.
struct Chunk {
  text::LabeledText reference{};
  std::vector<std::string> texts{};
};

dist::Bytes pack(const Chunk& chunk) {
  return dist::Packer()
      .put_text(chunk.reference.text)
      .put(chunk.reference.label)
      .put_texts(chunk.texts)
      .take();
}

dist::Bytes compute(const text::LanguageModel& model, std::span<const std::byte> piece) {
  dist::Unpacker unpacker(piece);
  text::LabeledText reference{.text = unpacker.get_text()};
  reference.label = unpacker.get<Label>();
  dist::Packer packer;
  for (const text::ScoredText& scored : model.score(reference, unpacker.get_texts())) {
    packer.put_all(std::span(scored.labels)).put(scored.shortened).put(scored.tokens);
  }
  return packer.take();
}

std::vector<text::ScoredText> unpack_scored(const dist::Bytes& result, std::size_t count) {
  dist::Unpacker unpacker(result);
  std::vector<text::ScoredText> scored(count);
  for (text::ScoredText& one : scored) {
    one.labels = unpacker.get_all<LabelLikelihood>();
    one.shortened = unpacker.get<bool>();
    one.tokens = unpacker.get<std::uint64_t>();
  }
  return scored;
}

/// Finds what the store does not know, reference by reference, in the chunks in which one process
/// would compute it: what tokens a text takes depends on who is with it.
class MissingChunks {
 public:
  MissingChunks(const TextPairs& pairs, const text::ScoreStore& store, TextCounter& counter)
      : pairs_(pairs), store_(store), counter_(counter) {}

  [[nodiscard]] std::optional<Chunk> next() {
    while (reference_ < pairs_.num_references()) {
      if (!is_open_) open();
      while (position_ < chunks_.size()) {
        if (auto chunk = look_again(gather(texts_, chunks_[position_++]))) return chunk;
      }
      is_open_ = false;
      ++reference_;
    }
    return std::nullopt;
  }

 private:
  void open() {
    texts_ = pairs_.texts_of(reference_);
    const KnownTexts known = store_.find(pairs_.reference(reference_), texts_);
    counter_.count(known, true);
    chunks_ = missing_chunks(known);
    position_ = 0;
    is_open_ = true;
  }

  /// Hours may have passed since the first look, and another process may work on the same.
  [[nodiscard]] std::optional<Chunk> look_again(const std::vector<std::string>& texts) {
    const KnownTexts known = store_.find(pairs_.reference(reference_), texts);
    counter_.count(known, true);
    const std::vector<Indices> missing = missing_chunks(known);
    if (missing.empty()) return std::nullopt;
    return Chunk{pairs_.reference(reference_), gather(texts, missing[0])};
  }

  const TextPairs& pairs_;
  const text::ScoreStore& store_;
  TextCounter& counter_;
  std::size_t reference_ = 0;
  bool is_open_ = false;
  std::vector<std::string> texts_{};  // of the reference
  std::vector<Indices> chunks_{};     // of them
  std::size_t position_ = 0;          // among the chunks
};

dist::SharedWork computing(const text::LanguageModel& model, std::size_t threads) {
  return {.compute = [&](std::span<const std::byte> piece) { return compute(model, piece); },
          .lanes = num_threads(threads),
          .order = dist::Order::as_finished};
}

}  // namespace

TextScoringTally fill_store_on_ranks(dist::Communicator& ranks, const text::LanguageModel& model,
                                     const text::Question& question, text::ScoreStore& store,
                                     std::span<const text::LabeledText> examples,
                                     const TextScoringOptions& options) {
  check_labels(examples, question.labels.size(), "reference");
  const std::vector<std::string> texts = texts_of(examples);
  const TextPairs pairs(
      examples, texts,
      {.skip_own = true, .with_no_text = options.normalization == Normalization::pmi});
  TextScoringTally tally;
  TextCounter counter(tally, pairs.size(), options.progress);
  MissingChunks missing(pairs, store, counter);
  std::map<std::size_t, Chunk> under_way;
  std::size_t num_given = 0;

  dist::SharedWork work = computing(model, options.threads);
  work.next = [&]() -> std::optional<dist::Bytes> {
    std::optional<Chunk> chunk = missing.next();
    if (!chunk) return std::nullopt;
    dist::Bytes piece = pack(*chunk);
    under_way.emplace(num_given++, std::move(*chunk));
    return piece;
  };
  work.collect = [&](std::size_t piece, const dist::Bytes& result) {
    const Chunk chunk = std::move(under_way.extract(piece).mapped());
    const auto scored = unpack_scored(result, chunk.texts.size());
    store.add(chunk.reference, chunk.texts, scored);
    counter.count(KnownTexts(scored.begin(), scored.end()), false);
  };
  share(ranks, work);
  return tally;
}

void help_to_fill_store(dist::Communicator& ranks, const text::LanguageModel& model,
                        std::size_t threads) {
  share(ranks, computing(model, threads));
}

}  // namespace caos
