#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "caos/scorers/log_likelihood.hpp"
#include "caos/scores.hpp"
#include "caos/text/models/tokenizer.hpp"

namespace caos::text {

/// A whole prompt with one label at its end. Tokens from `scored_from` on are the label's; it is at
/// least 1 and less than the number of tokens.
struct LabelPrompt {
  Tokens tokens{};
  std::size_t scored_from = 0;
};

/// A token of one or more prompts that begin alike.
struct TrieNode {
  Token token = 0;
  std::size_t position = 0;         ///< in the prompt
  std::size_t parent = 0;           ///< node before it; `LabelTrie::root` for the first
  std::vector<Label> labels{};      ///< whose prompts go through it, ascending
  std::vector<std::size_t> next{};  ///< nodes after it
  bool scored = false;              ///< belongs to a label
  bool predicts = false;            ///< what the model says after it is needed
};

/// The prompts of all labels as a tree: where they begin alike, a token is there once.
/// A model that runs over `evaluated` nodes only, each after its parents, knows every label's
/// likelihood: the last token of a prompt is looked up, not run.
class LabelTrie {
 public:
  static constexpr std::size_t root = std::numeric_limits<std::size_t>::max();

  /// The first `skipped` tokens must be the same in all prompts, and fewer than the smallest
  /// `scored_from`; they have no nodes. Label y of the tree is prompts[y].
  explicit LabelTrie(std::span<const LabelPrompt> prompts, std::size_t skipped = 0);

  /// Each node stands after its parent, and the nodes below one directly follow it.
  [[nodiscard]] const std::vector<TrieNode>& nodes() const { return nodes_; }

  /// The nodes of the label's own tokens, in order.
  [[nodiscard]] std::vector<std::size_t> scored_path(Label label) const;

  /// The likelihood of a label, from the log-probability of each scored node after its parents.
  [[nodiscard]] LabelLikelihood likelihood(Label label,
                                           std::span<const double> log_probabilities) const;

  /// How many nodes have others after them.
  [[nodiscard]] std::size_t evaluated() const;

 private:
  struct Branch;

  void grow(std::span<const LabelPrompt> prompts, std::size_t skipped);
  std::size_t add_node(std::span<const LabelPrompt> prompts, Branch branch);

  std::vector<TrieNode> nodes_;
  std::vector<std::size_t> last_;         // by label: its last node
  std::vector<std::size_t> scored_from_;  // by label
};

}  // namespace caos::text
