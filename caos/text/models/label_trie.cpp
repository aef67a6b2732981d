#include "caos/text/models/label_trie.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace caos::text {

/// Prompts that have the same tokens up to and including `position`.
struct LabelTrie::Branch {
  std::size_t parent = root;
  std::size_t position = 0;
  std::vector<Label> labels{};
};

namespace {

std::vector<Label> all_labels(std::size_t count) {
  std::vector<Label> labels(count);
  std::iota(labels.begin(), labels.end(), Label{0});
  return labels;
}

/// The labels whose prompts go on at `position`, grouped by their token there; groups in the order
/// of their first label, so that the tree depends on the prompts alone.
std::vector<std::vector<Label>> split(std::span<const LabelPrompt> prompts,
                                      const std::vector<Label>& labels, std::size_t position) {
  std::vector<std::vector<Label>> groups;
  for (const Label y : labels) {
    if (position >= prompts[y].tokens.size()) continue;
    const auto same = [&](const std::vector<Label>& group) {
      return prompts[group.front()].tokens[position] == prompts[y].tokens[position];
    };
    const auto group = std::ranges::find_if(groups, same);
    if (group == groups.end()) {
      groups.push_back({y});
    } else {
      group->push_back(y);
    }
  }
  return groups;
}

}  // namespace

LabelTrie::LabelTrie(std::span<const LabelPrompt> prompts, std::size_t skipped)
    : last_(prompts.size(), root) {
  for (const LabelPrompt& prompt : prompts) scored_from_.push_back(prompt.scored_from);
  grow(prompts, skipped);
  for (const TrieNode& node : nodes_) {
    if (node.scored && node.parent != root) nodes_[node.parent].predicts = true;
  }
}

void LabelTrie::grow(std::span<const LabelPrompt> prompts, std::size_t skipped) {
  // A stack of our own: prompts can be longer than a program's stack is deep.
  std::vector<Branch> pending;
  const auto push = [&](std::size_t parent, std::size_t position,
                        const std::vector<Label>& labels) {
    auto groups = split(prompts, labels, position);
    std::ranges::reverse(groups);  // what is pushed last comes first
    for (auto& group : groups) pending.push_back({parent, position, std::move(group)});
  };
  push(root, skipped, all_labels(prompts.size()));
  while (!pending.empty()) {
    Branch branch = std::move(pending.back());
    pending.pop_back();
    const std::size_t position = branch.position;
    const std::size_t node = add_node(prompts, std::move(branch));
    push(node, position + 1, nodes_[node].labels);
  }
}

std::size_t LabelTrie::add_node(std::span<const LabelPrompt> prompts, Branch branch) {
  const std::size_t index = nodes_.size();
  const std::size_t position = branch.position;
  TrieNode node{.token = prompts[branch.labels.front()].tokens[position],
                .position = position,
                .parent = branch.parent};
  for (const Label y : branch.labels) {
    if (position + 1 == prompts[y].tokens.size()) last_[y] = index;
    node.scored = node.scored || position >= prompts[y].scored_from;
  }
  if (branch.parent != root) nodes_[branch.parent].next.push_back(index);
  node.labels = std::move(branch.labels);
  nodes_.push_back(std::move(node));
  return index;
}

std::vector<std::size_t> LabelTrie::scored_path(Label label) const {
  std::vector<std::size_t> path;
  for (std::size_t i = last_[label]; i != root && nodes_[i].position >= scored_from_[label];
       i = nodes_[i].parent) {
    path.push_back(i);
  }
  std::ranges::reverse(path);
  return path;
}

LabelLikelihood LabelTrie::likelihood(Label label,
                                      std::span<const double> log_probabilities) const {
  LabelLikelihood result{.log_likelihood = 0, .tokens = 0};
  for (const std::size_t node : scored_path(label)) {
    result.log_likelihood += log_probabilities[node];
    ++result.tokens;
  }
  // A rounding error above a probability of one.
  result.log_likelihood = std::min(result.log_likelihood, 0.0);
  return result;
}

std::size_t LabelTrie::evaluated() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(nodes_, [](const TrieNode& node) { return !node.next.empty(); }));
}

}  // namespace caos::text
