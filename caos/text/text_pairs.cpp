#include "caos/text/text_pairs.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace caos {
namespace {

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
  std::vector<std::size_t> needed;
  for (std::size_t t = 0; t < texts_.size(); ++t) {
    // A text that is there twice is needed by both of its own references.
    const bool is_own =
        options_.skip_own && references_[r].size() == 1 && texts_[t] == references_[r];
    const bool is_asked_for = !texts_[t].empty() && !is_own;
    if (is_asked_for || (t == 0 && options_.with_no_text)) needed.push_back(t);
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

}  // namespace caos
