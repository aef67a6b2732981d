#include "caos/text/encoded/encoder_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

/// Texts that are embedded and stored at a time: the most that a sudden end can cost.
constexpr std::size_t texts_at_once = 16;

text::EmbeddingStore open_embedding_store(const EncoderSessionOptions& options,
                                          const text::TextEncoder& encoder) {
  const bool on_disk = !options.store.empty() &&
                       (options.make_store || text::EmbeddingStore::exists(options.store, encoder));
  return on_disk ? text::EmbeddingStore::open(options.store, encoder)
                 : text::EmbeddingStore::in_memory(encoder);
}

/// Different texts, and which of them each text is.
struct DistinctTexts {
  explicit DistinctTexts(std::span<const std::string> all) {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (const std::string& text : all) {
      const auto [place, is_new] = seen.emplace(text, texts.size());
      if (is_new) texts.push_back(text);
      places.push_back(place->second);
    }
  }

  std::vector<std::string> texts{};
  std::vector<std::size_t> places{};
};

}  // namespace

EncoderSession::EncoderSession(EncoderSessionOptions options)
    : options_(std::move(options)),
      encoder_(text::open_text_encoder(options_.model, options_.model_options)),
      store_(open_embedding_store(options_, *encoder_)) {}

TextScoreRecord EncoderSession::record() const {
  return {.model = options_.model,
          .identity = encoder_->identity(),
          .server_model = options_.model_options.server_model};
}

Matrix<float> EncoderSession::embed(std::span<const std::string> all) {
  const DistinctTexts distinct(all);
  const std::uint64_t total = tally_.texts + distinct.texts.size();
  Matrix<float> vectors(distinct.texts.size(), encoder_->dimension());
  std::vector<std::size_t> missing;
  const auto known = store_.find(distinct.texts);
  for (std::size_t t = 0; t < known.size(); ++t) {
    if (!known[t]) {
      missing.push_back(t);
      continue;
    }
    std::ranges::copy(known[t]->vector, vectors.row(t).begin());
    tally_.truncated += known[t]->truncated ? 1U : 0U;
    ++tally_.from_store;
    ++tally_.texts;
  }
  std::mutex mutex;
  const auto report = [&] {
    if (progress_) progress_(tally_, total);
  };
  report();
  parallel_for(
      missing.size(), texts_at_once, options_.threads, [&](std::size_t first, std::size_t last) {
        std::vector<std::string> texts;
        for (std::size_t m = first; m < last; ++m) {
          texts.push_back(distinct.texts[missing[m]]);
        }
        const text::EncodedTexts encoded = encoder_->embed(texts);
        store_.add(texts, encoded);
        const std::lock_guard lock(mutex);
        for (std::size_t m = first; m < last; ++m) {
          std::ranges::copy(encoded.vectors.row(m - first), vectors.row(missing[m]).begin());
          tally_.truncated += encoded.truncated[m - first] ? 1U : 0U;
        }
        tally_.texts += last - first;
        report();
      });
  Matrix<float> result(all.size(), vectors.cols());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::copy(std::as_const(vectors).row(distinct.places[i]), result.row(i).begin());
  }
  return result;
}

std::size_t EncoderSession::count_missing(std::span<const std::string> texts) const {
  const auto known = store_.find(DistinctTexts(texts).texts);
  return static_cast<std::size_t>(
      std::ranges::count_if(known, [](const auto& one) { return !one.has_value(); }));
}

EncoderSessionOptions encoder_options_like(const TextScoreRecord& record,
                                           EncoderSessionOptions given) {
  if (given.model.empty()) given.model = record.model;
  if (given.model_options.server_model.empty()) {
    given.model_options.server_model = record.server_model;
  }
  return given;
}

EncoderSession reopen_encoder(const TextScoreRecord& record, const std::string& name,
                              EncoderSessionOptions given) {
  EncoderSession session(encoder_options_like(record, std::move(given)));
  require(session.encoder().identity() == record.identity, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was calibrated with the encoder '{}'; '{}' gives other vectors; name the right one "
        "with --model, or calibrate again",
        name, record.identity, session.encoder().identity());
  });
  return session;
}

}  // namespace caos
