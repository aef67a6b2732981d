// A session whose store several processes fill together.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/error.hpp"
#include "caos/text/text_pairs.hpp"
#include "caos/text/text_session.hpp"

namespace caos {
namespace {

// Opening.

dist::Bytes pack(const text::Question& question) {
  return dist::Packer()
      .put_text(question.prompt.source())
      .put_texts(question.labels.names())
      .take();
}

text::Question unpack_question(const dist::Bytes& message) {
  dist::Unpacker unpacker(message);
  const std::string prompt = unpacker.get_text();
  return {.prompt = text::PromptTemplate::parse(prompt, "the first process's template"),
          .labels = text::LabelSpace(unpacker.get_texts())};
}

void check_same_model(const TextSession& session, const std::string& identity_of_first) {
  require(session.model().identity() == identity_of_first, ErrorKind::invalid_input, [&] {
    return fmt::format("model {} is '{}' here, and '{}' for the first process",
                       session.options().model, session.model().identity(), identity_of_first);
  });
}

// Scoring.

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
/// would compute it: the tokens of a text depend on the texts with it.
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
    chunks_ = find_missing(texts_);
    position_ = 0;
    is_open_ = true;
  }

  /// Hours may have passed since the first look, and another process may work on the same.
  [[nodiscard]] std::optional<Chunk> look_again(const std::vector<std::string>& texts) {
    const std::vector<Indices> missing = find_missing(texts);
    if (missing.empty()) return std::nullopt;
    return Chunk{pairs_.reference(reference_), gather(texts, missing[0])};
  }

  [[nodiscard]] std::vector<Indices> find_missing(const std::vector<std::string>& texts) {
    const KnownTexts known = store_.find(pairs_.reference(reference_), texts);
    counter_.count(known, true);
    return missing_chunks(known);
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

dist::SharedWork computing(const TextSession& session) {
  const text::LanguageModel& model = session.model();
  return {.compute = [&](std::span<const std::byte> piece) { return compute(model, piece); },
          .lanes = num_threads(session.threads()),
          .order = dist::Order::as_finished};
}

}  // namespace

TextSession TextSession::open_on_all(dist::Communicator& processes, TextSessionOptions options) {
  const dist::Bytes question = from_first(processes, [&] { return pack(options.question); });
  std::optional<TextSession> session;
  together(processes, [&] {
    if (!processes.is_first()) {
      options.question = unpack_question(question);
      options.store.clear();
    }
    session.emplace(std::move(options));
  });
  const dist::Bytes identity = from_first(
      processes, [&] { return dist::Packer().put_text(session->model().identity()).take(); });
  together(processes, [&] { check_same_model(*session, dist::Unpacker(identity).get_text()); });
  return std::move(*session);
}

void TextSession::fill_store(dist::Communicator& processes,
                             std::span<const text::LabeledText> examples) {
  if (processes.size() == 1) return static_cast<void>(score_labeled(examples));
  check_labels(examples, labels().size(), "reference");
  const std::vector<std::string> texts = texts_of(examples);
  const TextPairs pairs(examples, texts,
                        {.normalization = options_.normalization, .skip_own = true});
  TextCounter counter(tally_, std::max(expected_pairs_, tally_.pairs + pairs.size()), progress_);
  MissingChunks missing(pairs, store(), counter);
  std::map<std::size_t, Chunk> under_way;
  std::size_t num_given = 0;

  dist::SharedWork work = computing(*this);
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
    store().add(chunk.reference, chunk.texts, scored);
    counter.count(KnownTexts(scored.begin(), scored.end()), false);
  };
  share(processes, work);
}

void TextSession::help_to_fill_store(dist::Communicator& processes) const {
  share(processes, computing(*this));
}

}  // namespace caos
