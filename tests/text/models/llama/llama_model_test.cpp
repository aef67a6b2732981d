#include "caos/text/models/llama/llama_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "caos/rng.hpp"
#include "tests/text/models/llama/tiny_llama.hpp"

namespace {

using caos::Normalization;
using caos::test::asking;
using caos::test::briefly_asking;
using caos::test::close;
using caos::test::expect_close;
using caos::test::Memory;
using caos::test::reference_likelihoods;
using caos::test::ReferenceForward;
using caos::test::TinyGguf;
using caos::test::TinyLlama;
using caos::text::LabeledText;
using caos::text::LanguageModel;
using caos::text::Question;
using caos::text::ScoredText;

using Texts = std::vector<std::string>;

class LlamaModel : public TinyLlama {
 protected:
  /// Holds both models against the plain forward pass; all prompts must fit.
  void expect_likelihoods(const Question& question, const LabeledText& reference,
                          const Texts& texts, const TinyGguf& model = {}) const {
    const ReferenceForward forward(model, Memory::short_floats);
    const auto shared = open(question, model)->score(reference, texts);
    const auto separate = open_separate(question, model)->score(reference, texts);
    ASSERT_EQ(shared.size(), texts.size());
    ASSERT_EQ(separate.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto expected = reference_likelihoods(forward, question, reference, texts[i]);
      expect_close(shared[i].labels, expected, texts[i]);
      expect_close(separate[i].labels, expected, texts[i]);
      EXPECT_FALSE(shared[i].shortened);
      EXPECT_FALSE(separate[i].shortened);
    }
  }
};

/// `count` different labels that often begin alike.
Texts many_labels(std::size_t count) {
  const Texts first = {"card", "payment", "late", "apple", "zoo", "no", "lost money"};
  Texts labels;
  for (std::size_t y = 0; y < count; ++y) {
    labels.push_back(first[y % first.size()] + " " + std::to_string(y / first.size()));
  }
  return labels;
}

/// A text of letters around which tokens merge.
std::string random_text(caos::Rng& rng) {
  const Texts parts = {"a", "z", " ", ":", "l", "\n", "Label", "text", "e", "é", "</s>", "card"};
  std::string text;
  for (std::size_t left = rng.below(12); left > 0; --left) text += parts[rng.below(parts.size())];
  return text;
}

TEST_F(LlamaModel, AgreesWithThePlainForwardPass) {
  expect_likelihoods(asking({"yes", "no", "not sure"}), {"I lost my card", 0},
                     {"my payment is late", "The bank will pay", "x", "Label: yes"});
}

TEST_F(LlamaModel, IsNearTheForwardPassThatRoundsNothing) {
  const Question question = asking({"yes", "no", "not sure", "a"});
  const LabeledText reference{"I lost my card", 0};
  const ReferenceForward exact(TinyGguf{}, Memory::exact);
  const Texts texts = {"my payment is late", "", "zz: a"};
  const auto scored = open(question)->score(reference, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto expected = reference_likelihoods(exact, question, reference, texts[i]);
    for (std::size_t y = 0; y < expected.size(); ++y) {
      EXPECT_TRUE(close(scored[i].labels[y], expected[y], 5e-3)) << texts[i] << ", label " << y;
    }
  }
}

TEST_F(LlamaModel, ScoresLabelsThatShareTokensOrContainEachOther) {
  expect_likelihoods(
      asking({"card", "cards", "card payment", "card payment late", "card paying", "car", "c"}),
      {"money", 3}, {"a lost card", "no"});
}

TEST_F(LlamaModel, ScoresFromTheFirstTokenThatDiffersWhereLabelAndPromptMerge) {
  const Question question = asking({"a", "ab", "apple", "z", "zebra", "no"});
  const ReferenceForward forward(TinyGguf{}, Memory::short_floats);
  const std::string prompt = question.prompt.prompt("x", "a", "y");
  // Or the test would show nothing.
  ASSERT_EQ(forward.continuation(prompt, " no").first, forward.tokens(prompt).size());
  ASSERT_EQ(forward.continuation(prompt, " a").first, forward.tokens(prompt).size() - 1);
  ASSERT_EQ(forward.continuation(prompt, " z").first, forward.tokens(prompt).size() - 2);
  expect_likelihoods(question, {"a ride", 4}, {"late", "a late card", "zz", " a", "z"});
}

TEST_F(LlamaModel, ScoresEmptyTextsAndReferences) {
  expect_likelihoods(asking({"yes", "a", "z"}), {"", 1}, {"", " ", "\n", "  \n "});
}

TEST_F(LlamaModel, ScoresUnusualUnicode) {
  expect_likelihoods(asking({"é", "中文", "😀", "\u05E9\u05DC"}), {"\u0001\u0002\u007F\t\r", 2},
                     {"😀👍🏽", "e\u0301\u0323", "\u202E\u05E9\u05DC\u05D5\u05DD",
                      "\u2581\u2581", "\uFEFF\u200D\U0010FFFF", "中文é"});
}

TEST_F(LlamaModel, ReadsNamesOfSpecialTokensAsText) {
  expect_likelihoods(asking({"<s>", "</s>", "<s> no"}), {"<s>a</s>", 1},
                     {"<s>", "</s>", "no</s><s>Label:", "<unk>", "<0x41>"});
}

TEST_F(LlamaModel, AgreesForRandomTexts) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    caos::Rng rng(seed);
    const LabeledText reference{random_text(rng), rng.below(3)};
    expect_likelihoods(asking({"a", "zebra", "no"}), reference,
                       {random_text(rng), random_text(rng), random_text(rng)}, {.seed = seed});
  }
}

TEST_F(LlamaModel, BeginsWithNoTokenWhereTheModelWantsNone) {
  expect_likelihoods(asking({"yes", "no"}), {"lost", 0}, {"late", ""}, {.add_bos = false});
  expect_likelihoods(briefly_asking({"yes", "no"}), {"", 0}, {"late", ""}, {.add_bos = false});
}

TEST_F(LlamaModel, Scores77Labels) {
  expect_likelihoods(asking(many_labels(77)), {"lost", 76}, {"my card", "a late payment"});
}

TEST_F(LlamaModel, ScoresMoreLabelsThanAContextHasSequences) {
  expect_likelihoods(briefly_asking(many_labels(300)), {"lost", 299}, {"card", "a", ""});
}

TEST_F(LlamaModel, GivesTheSameBitsWhateverElseIsInTheCall) {
  const auto model = open(asking({"card", "card payment", "a", "z"}));
  const LabeledText reference{"lost", 1};
  Texts texts = {"late", "", "a late payment of my bank", "z", "late", "no", "is it", "e", "card"};
  const auto together = model->score(reference, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(model->score(reference, Texts{texts[i]})[0].labels, together[i].labels) << texts[i];
  }
  std::ranges::reverse(texts);
  const auto reversed = model->score(reference, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(reversed[texts.size() - 1 - i].labels, together[i].labels);
  }
  EXPECT_TRUE(model->score(reference, {}).empty());
}

TEST_F(LlamaModel, SharesNoReferenceOfFewerTokensThanARunMustHave) {
  const auto model = open(briefly_asking({"yes", "no"}));
  const std::string text = "a late payment of my bank";
  const auto few = model->score({"a", 0}, Texts{text, text});
  EXPECT_EQ(few[0].tokens, few[1].tokens);
  const auto enough = model->score({"a late payment of my bank", 0}, Texts{text, text});
  EXPECT_GT(enough[0].tokens, enough[1].tokens);
}

TEST_F(LlamaModel, GivesTheSameBitsFromAnyNumberOfThreads) {
  const auto model = open(asking(many_labels(20)));
  const Texts texts = {"late", "a late payment", "", "z"};
  const auto scored = [&](caos::Label label) { return model->score({"lost card", label}, texts); };
  std::vector<std::vector<ScoredText>> alone;
  for (caos::Label y = 0; y < 4; ++y) alone.push_back(scored(y));
  std::vector<std::vector<ScoredText>> at_once(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < at_once.size(); ++t) {
    threads.emplace_back([&, t] { at_once[t] = scored(t % 4); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < at_once.size(); ++t) EXPECT_EQ(at_once[t], alone[t % 4]);
}

TEST_F(LlamaModel, EvaluatesAsManyTokensAsItsCostSays) {
  const Question question = asking(many_labels(20));
  const LabeledText reference{"lost card", 0};
  const Texts texts = {"late", "a late payment", ""};
  const auto tokens = [&](const LanguageModel& model) {
    std::uint64_t sum = 0;
    for (const ScoredText& scored : model.score(reference, texts)) sum += scored.tokens;
    return sum;
  };
  const auto shared = open(question);
  const auto separate = open_separate(question);
  const caos::text::ScoringCost cost = shared->cost(reference, texts);
  EXPECT_EQ(cost.tokens, tokens(*shared));
  EXPECT_EQ(cost.separate_tokens, tokens(*separate));
  EXPECT_EQ(cost.shortened, 0U);
  EXPECT_LT(10 * cost.tokens, cost.separate_tokens);
}

TEST_F(LlamaModel, GivesScoresByTheirFormulas) {
  const Question question = asking({"no", "card payment", "apple"});
  const LabeledText reference{"lost", 0};
  const ReferenceForward forward(TinyGguf{}, Memory::short_floats);
  const auto scored = open(question)->score(reference, Texts{"late", ""});
  const auto with_text = reference_likelihoods(forward, question, reference, "late");
  const auto no_text = reference_likelihoods(forward, question, reference, "");
  const auto average = [&](std::size_t y) {
    return -with_text[y].log_likelihood / with_text[y].tokens;
  };
  double sum = 0;
  for (std::size_t y = 0; y < 3; ++y) sum += std::exp(-average(y));
  const auto expect = [&](Normalization normalization, auto formula) {
    std::vector<caos::Score> scores(3);
    nonconformity(normalization, question.labels.names(), scored[0].labels, scored[1].labels,
                  scores);
    for (std::size_t y = 0; y < 3; ++y) EXPECT_NEAR(scores[y], formula(y), 1e-3);
  };
  expect(Normalization::average, average);
  expect(Normalization::sum, [&](std::size_t y) { return -with_text[y].log_likelihood; });
  expect(Normalization::per_byte, [&](std::size_t y) {
    return -with_text[y].log_likelihood / static_cast<double>(question.labels[y].size());
  });
  expect(Normalization::pmi,
         [&](std::size_t y) { return no_text[y].log_likelihood - with_text[y].log_likelihood; });
  expect(Normalization::softmax, [&](std::size_t y) { return average(y) + std::log(sum); });
}

}  // namespace
