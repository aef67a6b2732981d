#include "caos/text/models/label_trie.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace caos::text {
namespace {

using ::testing::ElementsAre;

std::vector<Token> tokens_of(const LabelTrie& trie) {
  std::vector<Token> tokens;
  for (const TrieNode& node : trie.nodes()) tokens.push_back(node.token);
  return tokens;
}

/// The tokens on the way to a node, itself included.
Tokens way_to(const LabelTrie& trie, std::size_t node) {
  Tokens tokens;
  for (; node != LabelTrie::root; node = trie.nodes()[node].parent) {
    tokens.insert(tokens.begin(), trie.nodes()[node].token);
  }
  return tokens;
}

TEST(LabelTrie, HasCommonTokensOnce) {
  const std::vector<LabelPrompt> prompts = {
      {{1, 2, 5, 6}, 2}, {{1, 2, 5, 7, 8}, 2}, {{1, 2, 9}, 2}};
  const LabelTrie trie(prompts);
  EXPECT_THAT(tokens_of(trie), ElementsAre(1, 2, 5, 6, 7, 8, 9));
  EXPECT_THAT(trie.scored_path(0), ElementsAre(2, 3));
  EXPECT_THAT(trie.scored_path(1), ElementsAre(2, 4, 5));
  EXPECT_THAT(trie.scored_path(2), ElementsAre(6));
  EXPECT_THAT(trie.nodes()[2].labels, ElementsAre(0, 1));
  // 6, 8 and 9 are last: looked up, not run.
  EXPECT_EQ(trie.evaluated(), 4U);
}

TEST(LabelTrie, AsksOnlyForWhatPredictsALabel) {
  const std::vector<LabelPrompt> prompts = {{{1, 2, 3, 4}, 3}, {{1, 2, 3, 5, 6}, 3}};
  const LabelTrie trie(prompts);
  std::vector<Token> predicting;
  for (const TrieNode& node : trie.nodes()) {
    if (node.predicts) predicting.push_back(node.token);
  }
  EXPECT_THAT(predicting, ElementsAre(3, 5));
}

TEST(LabelTrie, KnowsALabelThatBeginsAnother) {
  const std::vector<LabelPrompt> prompts = {{{1, 2}, 1}, {{1, 2, 3}, 1}};
  const LabelTrie trie(prompts);
  EXPECT_THAT(trie.scored_path(0), ElementsAre(1));
  EXPECT_THAT(trie.scored_path(1), ElementsAre(1, 2));
  EXPECT_THAT(trie.nodes()[2].labels, ElementsAre(1));
}

TEST(LabelTrie, ScoresAMergedTokenFromWhereItDiffers) {
  // The first label's first token replaces the prompt's last.
  const std::vector<LabelPrompt> prompts = {{{1, 7, 8}, 1}, {{1, 2, 8}, 2}};
  const LabelTrie trie(prompts);
  EXPECT_THAT(trie.scored_path(0), ElementsAre(1, 2));
  EXPECT_THAT(trie.scored_path(1), ElementsAre(4));
  EXPECT_TRUE(trie.nodes()[0].predicts);
}

TEST(LabelTrie, LeavesOutWhatIsSkipped) {
  const std::vector<LabelPrompt> prompts = {{{1, 2, 3, 4}, 3}, {{1, 2, 3, 5}, 3}};
  const LabelTrie trie(prompts, 2);
  EXPECT_THAT(tokens_of(trie), ElementsAre(3, 4, 5));
  EXPECT_EQ(trie.nodes()[0].position, 2U);
  EXPECT_EQ(trie.nodes()[0].parent, LabelTrie::root);
}

TEST(LabelTrie, AddsUpTheLogProbabilitiesOfALabel) {
  const std::vector<LabelPrompt> prompts = {{{1, 2, 3}, 1}, {{1, 2, 4}, 1}};
  const LabelTrie trie(prompts);
  const std::vector<double> of_nodes = {-100, -1, -0.5, 1.0000001};
  EXPECT_EQ(trie.likelihood(0, of_nodes), (LabelLikelihood{.log_likelihood = -1.5, .tokens = 2}));
  // Rounding may lead above a probability of one.
  EXPECT_EQ(trie.likelihood(1, of_nodes), (LabelLikelihood{.log_likelihood = 0, .tokens = 2}));
}

RC_GTEST_PROP(LabelTrie, IsTheSetOfPrefixes, ()) {
  // Few tokens and short labels, so that prompts begin alike, contain each other and are equal.
  const auto endings = *rc::gen::container<std::vector<Tokens>>(
      5, rc::gen::nonEmpty(rc::gen::container<Tokens>(rc::gen::inRange<Token>(0, 3))));
  std::vector<LabelPrompt> prompts;
  std::set<Tokens> prefixes;
  for (const Tokens& ending : endings) {
    LabelPrompt prompt{{10, 11}, 2};
    prompt.tokens.insert(prompt.tokens.end(), ending.begin(), ending.end());
    for (std::size_t n = 1; n <= prompt.tokens.size(); ++n) {
      prefixes.insert(
          Tokens(prompt.tokens.begin(), prompt.tokens.begin() + static_cast<std::ptrdiff_t>(n)));
    }
    prompts.push_back(std::move(prompt));
  }
  const LabelTrie trie(prompts);
  std::set<Tokens> ways;
  for (std::size_t i = 0; i < trie.nodes().size(); ++i) {
    const std::size_t parent = trie.nodes()[i].parent;
    RC_ASSERT(parent == LabelTrie::root || parent < i);
    ways.insert(way_to(trie, i));
  }
  RC_ASSERT(ways == prefixes);
  RC_ASSERT(ways.size() == trie.nodes().size());
  for (Label y = 0; y < prompts.size(); ++y) {
    const auto path = trie.scored_path(y);
    RC_ASSERT(path.size() == endings[y].size());
    RC_ASSERT(way_to(trie, path.back()) == prompts[y].tokens);
  }
}

}  // namespace
}  // namespace caos::text
