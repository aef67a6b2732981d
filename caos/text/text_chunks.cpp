#include "caos/text/text_chunks.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"

namespace caos {
namespace {

constexpr std::size_t chunk_size = 32;

}  // namespace

std::vector<std::string> texts_of(std::span<const text::LabeledText> examples) {
  std::vector<std::string> texts;
  texts.reserve(examples.size());
  for (const text::LabeledText& example : examples) texts.push_back(example.text);
  return texts;
}

void check_labels(std::span<const text::LabeledText> examples, std::size_t num_labels,
                  const char* what) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    require(examples[i].label < num_labels, ErrorKind::invalid_input, [&] {
      return fmt::format("{} {} has label {}, but there are {} labels", what, i, examples[i].label,
                         num_labels);
    });
  }
}

std::vector<Indices> missing_chunks(const KnownTexts& known) {
  std::vector<Indices> chunks;
  for (std::size_t t = 0; t < known.size(); ++t) {
    if (known[t]) continue;
    if (chunks.empty() || chunks.back().size() == chunk_size) chunks.emplace_back();
    chunks.back().push_back(t);
  }
  return chunks;
}

std::vector<std::string> gather(std::span<const std::string> texts, const Indices& positions) {
  std::vector<std::string> chosen;
  chosen.reserve(positions.size());
  for (const std::size_t t : positions) chosen.push_back(texts[t]);
  return chosen;
}

TextCounter::TextCounter(TextScoringTally& tally, std::uint64_t total_pairs,
                         const std::function<void(const TextScoringProgress&)>& tell)
    : tally_(tally), tell_(tell) {
  progress_.total_pairs = total_pairs;
}

void TextCounter::count(const KnownTexts& scored, bool is_stored) {
  TextScoringTally more;
  for (const auto& text : scored) {
    if (!text) continue;
    ++more.pairs;
    more.pairs_from_store += is_stored ? 1U : 0U;
    more.shortened += text->shortened ? 1U : 0U;
    more.tokens += text->tokens;
  }
  add(more);
}

void TextCounter::add(const TextScoringTally& more) {
  const std::lock_guard lock(mutex_);
  tally_ += more;
  progress_.pairs += more.pairs;
  progress_.pairs_from_store += more.pairs_from_store;
  progress_.tokens += more.tokens;
  if (tell_ && more.pairs > 0) tell_(progress_);
}

}  // namespace caos
