#include "caos/text/models/lexical_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "caos/io/lower_case.hpp"

namespace caos::text {
namespace {

using Feature = LexicalFeatures::Feature;

// Sorted. Words that say little about what a text is about; negations are not among them.
constexpr std::array<std::string_view, 72> common_words = {
    "a",    "about", "after", "all",  "also", "am",    "an",    "and",  "any",   "are",   "as",
    "at",   "be",    "been",  "but",  "by",   "can",   "could", "did",  "do",    "does",  "for",
    "from", "had",   "has",   "have", "he",   "her",   "his",   "i",    "if",    "in",    "is",
    "it",   "its",   "just",  "me",   "my",   "of",    "on",    "or",   "our",   "out",   "she",
    "so",   "some",  "than",  "that", "the",  "their", "them",  "then", "there", "these", "they",
    "this", "those", "to",    "up",   "us",   "was",   "we",    "were", "what",  "which", "who",
    "will", "with",  "would", "you",  "your", "yours"};

constexpr double common_word_mass = 0.1;
// What pairs and pieces of words weigh beside the words themselves.
constexpr double pair_share = 0.5;
constexpr double pieces_share = 0.5;
constexpr std::size_t longest_that_counts = 10;
// Of a piece of a word, in bytes.
constexpr std::size_t shortest_piece = 3;
constexpr std::size_t longest_piece = 5;

/// FNV-1a, byte by byte. `kind` keeps words, pairs and pieces apart.
class Hash {
 public:
  explicit Hash(char kind) { add(kind); }

  void add(char c) { value_ = (value_ ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL; }
  Hash& add(std::string_view text) {
    for (const char c : text) add(c);
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<std::uint8_t>(c) >= 0x80;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto start = std::ranges::find_if(text, in_word);
    const auto end = std::find_if_not(start, text.end(), in_word);
    if (start != end) words.emplace_back(start, end);
    text = std::string_view(end, text.end());
  }
  return words;
}

/// Rare words tend to be long, so length stands in for what a corpus would tell.
double mass_of(std::string_view word) {
  if (std::ranges::binary_search(common_words, word)) return common_word_mass;
  return static_cast<double>(std::min(word.size(), longest_that_counts)) / 4;
}

void add_pieces(std::string_view word, double mass, std::vector<Feature>& features) {
  const std::string marked = fmt::format("<{}>", word);
  const std::size_t first = features.size();
  for (std::size_t start = 0; start + shortest_piece <= marked.size(); ++start) {
    Hash hash('c');
    const std::size_t end = std::min(start + longest_piece, marked.size());
    for (std::size_t i = start; i < end; ++i) {
      hash.add(marked[i]);
      if (i + 1 - start >= shortest_piece) features.push_back({hash.value(), 0});
    }
  }
  const double each = mass / static_cast<double>(features.size() - first);
  for (std::size_t f = first; f < features.size(); ++f) features[f].mass = each;
}

/// Adds up the masses of equal features, the smallest first, wherever in the text they occur.
std::vector<Feature> merged(std::vector<Feature> features) {
  std::ranges::sort(features, [](const Feature& a, const Feature& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.mass < b.mass;
  });
  std::vector<Feature> result;
  for (const Feature& feature : features) {
    if (result.empty() || result.back().hash != feature.hash) {
      result.push_back(feature);
    } else {
      result.back().mass += feature.mass;
    }
  }
  return result;
}

/// Calls `visit(a, b)` for the features that both have, ascending by hash.
template <typename Visit>
void for_shared(const LexicalFeatures& a, const LexicalFeatures& b, const Visit& visit) {
  auto left = a.features().begin();
  auto right = b.features().begin();
  while (left != a.features().end() && right != b.features().end()) {
    if (left->hash == right->hash) visit(*left, *right);
    const bool advance_left = left->hash <= right->hash;
    const bool advance_right = right->hash <= left->hash;
    left += advance_left ? 1 : 0;
    right += advance_right ? 1 : 0;
  }
}

}  // namespace

LexicalFeatures::LexicalFeatures(std::string_view text) {
  const std::string lower = io::lower_case(text);
  const std::vector<std::string_view> words = words_of(lower);
  std::vector<Feature> found;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const double mass = mass_of(words[w]);
    found.push_back({Hash('w').add(words[w]).value(), mass});
    add_pieces(words[w], pieces_share * mass, found);
    if (w == 0) continue;
    // No word holds a space, so a pair can be read in one way only.
    Hash pair('p');
    pair.add(words[w - 1]).add(" ").add(words[w]);
    found.push_back({pair.value(), pair_share * std::min(mass, mass_of(words[w - 1]))});
  }
  features_ = merged(std::move(found));
  for (const Feature& feature : features_) mass_ += feature.mass;
}

double similarity(const LexicalFeatures& a, const LexicalFeatures& b) {
  if (a.mass() == 0 || b.mass() == 0) return 0;
  double shared = 0;
  for_shared(a, b, [&](const auto& left, const auto& right) {
    shared += std::sqrt(left.mass * right.mass);
  });
  return std::min(shared / std::sqrt(a.mass() * b.mass()), 1.0);
}

double share_within(const LexicalFeatures& part, const LexicalFeatures& whole) {
  if (part.mass() == 0) return 0;
  double shared = 0;
  for_shared(part, whole, [&](const auto& mine, const auto&) { shared += mine.mass; });
  return std::min(shared / part.mass(), 1.0);
}

}  // namespace caos::text
