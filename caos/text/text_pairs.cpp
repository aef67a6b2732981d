#include "caos/text/text_pairs.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "caos/error.hpp"

namespace caos {
namespace {

constexpr std::size_t chunk_size = 32;

/// The positions of equal keys, in the order in which keys come first.
template <typename Key>
class Groups {
 public:
  void add(const Key& key, std::size_t position) { group(key).push_back(position); }
  Indices& group(const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, groups_.size());
    if (is_new) groups_.emplace_back();
    return groups_[found->second];
  }
  [[nodiscard]] std::vector<Indices> take() { return std::move(groups_); }

 private:
  std::map<Key, std::size_t> numbers_;
  std::vector<Indices> groups_;
};

std::vector<Indices> group_references(std::span<const text::LabeledText> references) {
  Groups<std::pair<std::string_view, Label>> groups;
  for (std::size_t i = 0; i < references.size(); ++i) {
    groups.add({references[i].text, references[i].label}, i);
  }
  return groups.take();
}

std::vector<Indices> group_texts(std::span<const std::string> texts) {
  Groups<std::string_view> groups;
  groups.group("");
  for (std::size_t t = 0; t < texts.size(); ++t) groups.add(texts[t], t);
  return groups.take();
}

}  // namespace

TextPairs::TextPairs(std::span<const text::LabeledText> references,
                     std::span<const std::string> texts, Options options)
    : all_references_(references),
      all_texts_(texts),
      options_(options),
      references_(group_references(references)),
      texts_(group_texts(texts)) {}

std::vector<std::size_t> TextPairs::needed_with(std::size_t r) const {
  const bool with_no_text = options_.normalization == Normalization::pmi;
  std::vector<std::size_t> needed;
  for (std::size_t t = 0; t < texts_.size(); ++t) {
    // A text that is there twice is needed by both of its own references.
    const bool is_own =
        options_.skip_own && references_[r].size() == 1 && texts_[t] == references_[r];
    const bool is_asked_for = !texts_[t].empty() && !is_own;
    if (is_asked_for || (t == 0 && with_no_text)) needed.push_back(t);
  }
  return needed;
}

std::vector<std::string> TextPairs::texts_of(std::size_t r) const {
  std::vector<std::string> texts;
  for (const std::size_t t : needed_with(r)) {
    texts.push_back(t == 0 ? std::string() : all_texts_[texts_[t].front()]);
  }
  return texts;
}

std::size_t TextPairs::size() const {
  std::size_t count = 0;
  for (std::size_t r = 0; r < references_.size(); ++r) count += needed_with(r).size();
  return count;
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

void TextCounter::count(const KnownTexts& scored, bool is_stored) {
  TextScoringTally more;
  for (const auto& text : scored) {
    if (!text) continue;
    ++more.pairs;
    more.pairs_from_store += is_stored ? 1U : 0U;
    more.shortened += text->shortened ? 1U : 0U;
    more.tokens += text->tokens;
  }
  const std::lock_guard lock(mutex_);
  tally_ += more;
  if (progress_ && more.pairs > 0) progress_(tally_, total_pairs_);
}

}  // namespace caos
