#include "caos/text/models/lexical_features.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace caos::text {
namespace {

using Masses = std::map<std::string, double>;

/// Features by their names, for texts of lower-case words parted by single spaces; "the" is the
/// only common word.
Masses named_features(const std::string& text) {
  Masses masses;
  std::string before;
  double mass_before = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find(' ', at) + 1) {
    const std::string word = text.substr(at, text.find(' ', at) - at);
    const double mass =
        word == "the" ? 0.1 : static_cast<double>(std::min<std::size_t>(word.size(), 10)) / 4;
    masses["word " + word] += mass;
    Masses pieces;
    const std::string marked = "<" + word + ">";
    double count = 0;
    for (std::size_t length = 3; length <= 5; ++length) {
      for (std::size_t i = 0; i + length <= marked.size(); ++i) {
        pieces["piece " + marked.substr(i, length)] += 1;
        count += 1;
      }
    }
    for (const auto& [piece, times] : pieces) masses[piece] += 0.5 * mass * times / count;
    if (!before.empty()) masses["pair " + before + " " + word] += 0.5 * std::min(mass, mass_before);
    before = word;
    mass_before = mass;
  }
  return masses;
}

double total(const Masses& masses) {
  double sum = 0;
  for (const auto& [name, mass] : masses) sum += mass;
  return sum;
}

std::string any_text() {
  const auto words = rc::gen::elementOf(
      std::vector<std::string>{"a1", "order", "orders", "the", "banana", "x", "reordering"});
  std::string text;
  for (const auto& word : *rc::gen::container<std::vector<std::string>>(words)) text += word + " ";
  return text;
}

RC_GTEST_PROP(LexicalFeatures, AreWordsPairsAndPieces, ()) {
  const std::string text = any_text();
  const Masses expected = named_features(text);
  const LexicalFeatures features(text);
  RC_ASSERT(features.features().size() == expected.size());
  RC_ASSERT(std::abs(features.mass() - total(expected)) < 1e-12 * (1 + total(expected)));
}

RC_GTEST_PROP(LexicalFeatures, AreSimilarByTheDefinition, ()) {
  const std::string left = any_text();
  const std::string right = any_text();
  const Masses a = named_features(left);
  const Masses b = named_features(right);
  double shared = 0;
  double within = 0;
  for (const auto& [name, mass] : a) {
    if (!b.contains(name)) continue;
    shared += std::sqrt(mass * b.at(name));
    within += mass;
  }
  const bool any = !a.empty() && !b.empty();
  const double expected = any ? shared / std::sqrt(total(a) * total(b)) : 0;
  const LexicalFeatures of_left(left);
  const LexicalFeatures of_right(right);
  const double found = similarity(of_left, of_right);
  RC_ASSERT(std::abs(found - expected) < 1e-12);
  RC_ASSERT(found == similarity(of_right, of_left));
  RC_ASSERT(found >= 0 && found <= 1);
  const double share = share_within(of_left, of_right);
  RC_ASSERT(std::abs(share - (a.empty() ? 0 : within / total(a))) < 1e-12);
}

TEST(LexicalFeatures, IgnoreCaseAndPunctuation) {
  EXPECT_DOUBLE_EQ(
      similarity(LexicalFeatures("Where's my ORDER?"), LexicalFeatures("where s_my-order")), 1.0);
}

TEST(LexicalFeatures, KeepLettersBeyondAscii) {
  const LexicalFeatures a("caf\xc3\xa9");
  EXPECT_LT(similarity(a, LexicalFeatures("cafe")), 0.9);
  EXPECT_GT(similarity(a, LexicalFeatures("caf\xc3\xa9s")), 0.1);
}

TEST(LexicalFeatures, OfNoWordsAreNone) {
  const LexicalFeatures none(" .,!?\n");
  EXPECT_TRUE(none.features().empty());
  EXPECT_EQ(similarity(none, none), 0);
  EXPECT_EQ(share_within(none, LexicalFeatures("a")), 0);
}

}  // namespace
}  // namespace caos::text
