#include "tests/text/models/llama/reference_forward.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace {

using caos::test::Continuation;
using caos::test::reference_text;
using caos::test::reference_tokens;
using caos::test::ReferenceForward;
using caos::test::tiny_bos;
using caos::test::tiny_gguf_bytes;
using caos::test::tiny_vocabulary;
using caos::test::TinyGguf;
using caos::test::Token;

TEST(TinyGguf, IsTheSameForTheSameSeedOnly) {
  EXPECT_EQ(tiny_gguf_bytes({}), tiny_gguf_bytes({}));
  EXPECT_NE(tiny_gguf_bytes({}), tiny_gguf_bytes({.seed = 2}));
  EXPECT_EQ(tiny_gguf_bytes({}).size(), tiny_gguf_bytes({.seed = 2}).size());
}

TEST(TinyVocabulary, SpellsTheSpecialTokensInNoOtherWay) {
  // Merges that pass through these would make a special token from plain text.
  for (const caos::test::Piece& piece : tiny_vocabulary()) {
    for (const char* forbidden : {"<s", "s>", "</", "<0"}) EXPECT_NE(piece.text, forbidden);
  }
}

RC_GTEST_PROP(ReferenceTokens, StandForTheText, ()) {
  const std::string alphabet = "az :lbeLTxt\n<s>/";
  auto letters = *rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
  letters += *rc::gen::element("", "é", "😀", "\u2581", "שלום");
  const std::vector<Token> tokens = reference_tokens(letters);
  std::string expected = letters.empty() ? "" : " " + letters;
  if (expected.ends_with("\u2581")) expected.replace(expected.size() - 3, 3, 1, ' ');
  RC_ASSERT(reference_text(tokens) == expected);
  for (const Token token : tokens) RC_ASSERT(token > caos::test::tiny_eos);
}

TEST(ReferenceTokens, MergeTheHighestScoreFirst) {
  // "▁label" would take the letter before the colon if "l:▁z" did not come first.
  const auto texts = [](const std::string& text) {
    std::vector<std::string> result;
    for (const Token t : reference_tokens(text)) {
      result.push_back(tiny_vocabulary()[static_cast<std::size_t>(t)].text);
    }
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts("label: no"), (Texts{"▁label", ":", "▁no"}));
  EXPECT_EQ(texts("label: a"), (Texts{"▁label", ":▁a"}));
  EXPECT_EQ(texts("label: z"), (Texts{"▁labe", "l:▁z"}));
  EXPECT_EQ(texts("\n"), (Texts{"▁", "<0x0A>"}));
}

TEST(Rounded, KeepsSoManyBinaryDigits) {
  using caos::test::rounded;
  for (const double kept : {0.0, 1.0, -1.5, 2047.0, 0.0009765625})
    EXPECT_EQ(rounded(kept, 11), kept);
  EXPECT_EQ(rounded(2049, 11), 2048);
  EXPECT_EQ(rounded(-2051, 11), -2052);
  EXPECT_EQ(rounded(0.1, 11), 0.0999755859375);
  EXPECT_EQ(rounded(0.1, 8), 0.10009765625);
}

TEST(ReferenceForward, LooksAtNothingThatComesLater) {
  const ReferenceForward model(TinyGguf{});
  const std::vector<Token> tokens = model.tokens("Text: a late payment");
  ASSERT_EQ(tokens[0], tiny_bos);
  const auto all = model.logits(tokens);
  for (std::size_t size = 1; size < tokens.size(); ++size) {
    EXPECT_EQ(model.logits(std::span(tokens).first(size)).back(), all[size - 1]);
  }
}

TEST(ReferenceForward, GivesProbabilitiesThatAreFarFromUniform) {
  const ReferenceForward model(TinyGguf{});
  double largest = 0;
  for (const auto& logits : model.logits(model.tokens("Text: a late payment"))) {
    double sum = 0;
    for (const double p : caos::test::log_softmax(logits)) {
      sum += std::exp(p);
      largest = std::max(largest, std::exp(p));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_GT(largest, 10.0 / static_cast<double>(tiny_vocabulary().size()));
}

TEST(ReferenceForward, ScoresALabelFromTheFirstTokenThatDiffers) {
  const ReferenceForward model(TinyGguf{});
  const std::size_t prompt = model.tokens("Label:").size();
  const auto scored = [&](const std::string& label) {
    const Continuation result = model.continuation("Label:", label);
    EXPECT_EQ(result.first + result.log_probabilities.size(), result.tokens.size());
    EXPECT_LT(result.log_likelihood(), 0);
    return result.first;
  };
  EXPECT_EQ(scored(" no"), prompt);
  EXPECT_EQ(scored(" a"), prompt - 1);
  EXPECT_EQ(scored(" z"), prompt - 2);
}

}  // namespace
