#include "caos/text/models/prompt_tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "caos/io/utf8.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::text {
namespace {

/// One token a byte, but ": y" and " no" are one each; "<s>" is special token 1, bytes begin at
/// 100.
class ToyTokenizer final : public Tokenizer {
 public:
  [[nodiscard]] Tokens tokenize(const std::string& text) const override { return cut(text, false); }
  [[nodiscard]] Tokens tokenize_special(const std::string& text) const override {
    return cut(text, true);
  }

 private:
  static Tokens cut(std::string_view text, bool special) {
    Tokens tokens;
    while (!text.empty()) {
      std::size_t length = 1;
      Token token = 100 + static_cast<unsigned char>(text.front());
      const auto piece = [&](std::string_view word, Token id) {
        if (!text.starts_with(word)) return;
        length = word.size();
        token = id;
      };
      piece(": y", 10);
      piece(" no", 11);
      if (special) piece("<s>", 1);
      tokens.push_back(token);
      text.remove_prefix(length);
    }
    return tokens;
  }
};

const ToyTokenizer toy;

Tokens of(const std::string& text) { return toy.tokenize(text); }

Question question(std::vector<std::string> labels, const std::string& words = "") {
  return {.prompt = PromptTemplate::parse(
              words + "T:{reference_text}\nL:{reference_label}\nT:{text}\nL:", "test"),
          .labels = LabelSpace(std::move(labels))};
}

TEST(PromptTokens, CutsPromptAndLabelTogether) {
  const PromptTokens tokens(toy, question({"yes", "no", "maybe"}), 1000, {.start = {1}});
  const auto reference = tokens.reference({.text = "abc", .label = 1});
  const auto prompts = tokens.prompts(reference, "de");
  const std::string prompt = "T:abc\nL:no\nT:de\nL:";
  Tokens start{1};
  const Tokens rest = of(prompt);
  start.insert(start.end(), rest.begin(), rest.end());
  // ": y" merges over the boundary, so that the label counts from there.
  const LabelPrompt& yes = prompts.labels[0];
  EXPECT_EQ(yes.scored_from, start.size() - 1);
  EXPECT_EQ(yes.tokens[yes.scored_from], 10);
  EXPECT_EQ(yes.tokens.size(), start.size() + 2);
  // " no" does not.
  const LabelPrompt& no = prompts.labels[1];
  EXPECT_EQ(no.scored_from, start.size());
  EXPECT_EQ(no.tokens.back(), 11);
  EXPECT_EQ(no.tokens.size(), start.size() + 1);
  EXPECT_EQ(prompts.labels[2].tokens.size(), start.size() + 6);
  EXPECT_EQ(prompts.separate_tokens(), 3 * start.size() + 2 + 1 + 6 - 3);
}

TEST(PromptTokens, SharesTheReferenceButItsLastToken) {
  const PromptTokens tokens(toy, question({"a", "b"}), 1000, {.start = {1}});
  const auto reference = tokens.reference({.text = "abc", .label = 1});
  EXPECT_EQ(reference.shared.size(), 1 + of("T:abc\nL:b\nT:").size() - 1);
  for (const std::string text : {"", "x", "\xF0\x9F\x98\x80", " \n "}) {
    const auto prompts = tokens.prompts(reference, text);
    EXPECT_EQ(prompts.shared, reference.shared.size());
    EXPECT_FALSE(prompts.shortened);
  }
}

TEST(PromptTokens, SharesNothingWhereATextChangesTheReferencesTokens) {
  // A template in which text follows the reference's label directly, so that they merge.
  const Question odd{
      .prompt = PromptTemplate::parse("{reference_text}{reference_label}:{text}L:", "test"),
      .labels = LabelSpace({"a", "b"})};
  const PromptTokens tokens(toy, odd, 1000);
  const auto reference = tokens.reference({.text = "t", .label = 0});
  EXPECT_EQ(reference.shared, of("ta"));
  EXPECT_EQ(tokens.prompts(reference, "x").shared, 2U);
  EXPECT_EQ(tokens.prompts(reference, " yx").shared, 2U);  // ": y" begins after the shared ones
  ReferencePrompt other = reference;
  other.shared.back() += 1;
  EXPECT_EQ(tokens.prompts(other, "x").shared, 0U);
}

TEST(PromptTokens, HasOneBeginningOnly) {
  const PromptFrame frame{.start = {1}, .chat = true, .before = "<s>U:", .after = "</s>A:"};
  const PromptTokens tokens(toy, question({"yes", "<s>"}), 1000, frame);
  const auto prompts = tokens.prompts(tokens.reference({.text = "<s>", .label = 0}), "<s>");
  for (const LabelPrompt& prompt : prompts.labels) {
    EXPECT_EQ(std::count(prompt.tokens.begin(), prompt.tokens.end(), 1), 1);
  }
}

TEST(PromptTokens, BeginsTheReplyOfAChatWithTheLabel) {
  const PromptFrame frame{.chat = true, .before = "U:", .after = "<s>A:"};
  const PromptTokens tokens(toy, question({"b", " yes"}), 1000, frame);
  const auto prompts = tokens.prompts(tokens.reference({.text = "q", .label = 0}), "r");
  const LabelPrompt& b = prompts.labels[0];
  EXPECT_EQ(b.tokens.back(), 100 + 'b');
  EXPECT_EQ(b.scored_from, b.tokens.size() - 1);
  // "A:" and " yes" merge here, too.
  EXPECT_EQ(prompts.labels[1].tokens[prompts.labels[1].scored_from], 10);
}

class Shortening : public ::testing::Test {
 protected:
  // 11 for the words, 2 x 2 for labels and 4 free: each text may have (65 - 19) / 2 = 23.
  PromptTokens tokens_{toy, question({"a", "b"}), 65};
};

TEST_F(Shortening, CutsNothingThatFits) {
  EXPECT_EQ(of("T:\nL:\nT:\nL:").size(), 11U);
  const auto reference = tokens_.reference({.text = std::string(23, 'r'), .label = 0});
  EXPECT_FALSE(reference.shortened);
  EXPECT_FALSE(tokens_.prompts(reference, std::string(23, 't')).shortened);
}

TEST_F(Shortening, CutsEachTextByItself) {
  const auto reference = tokens_.reference({.text = std::string(24, 'r'), .label = 0});
  EXPECT_TRUE(reference.shortened);
  EXPECT_EQ(reference.text, std::string(23, 'r'));
  const auto prompts = tokens_.prompts(reference, "x");
  EXPECT_TRUE(prompts.shortened);
  const auto shorter = tokens_.reference({.text = "r", .label = 0});
  const auto cut = tokens_.prompts(shorter, std::string(500, 't'));
  EXPECT_TRUE(cut.shortened);
  EXPECT_EQ(cut.labels[0].tokens.size(), 11U + 1 + 1 + 23 + 2);
}

TEST_F(Shortening, KeepsCharactersWhole) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "\xE2\x82\xAC";
  const auto reference = tokens_.reference({.text = text, .label = 0});
  EXPECT_TRUE(is_utf8(reference.text));
  EXPECT_EQ(reference.text.size(), 21U);
}

TEST_F(Shortening, AlwaysFitsTheContext) {
  for (std::size_t length = 0; length < 80; ++length) {
    const auto reference = tokens_.reference({.text = std::string(length, 'r'), .label = 1});
    for (std::size_t other = 0; other < 80; ++other) {
      for (const LabelPrompt& prompt : tokens_.prompts(reference, std::string(other, 't')).labels) {
        ASSERT_LE(prompt.tokens.size(), 65U);
      }
    }
  }
}

TEST(PromptTokens, RefusesAContextThatIsTooSmallWithTheNumbers) {
  test::expect_error(
      [] {
        (void)PromptTokens(toy, question({"a", "long label"}, std::string(30, 'w')), 60);
      },
      ErrorKind::invalid_input, {"60 tokens", "takes 41", "twice 22", "larger context"});
}

}  // namespace
}  // namespace caos::text
