#include "caos/text/models/llama/llama_scoring.hpp"

#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/kernels/log_sum_exp.hpp"

namespace caos::text {
namespace {

/// A run of that many is as fast, per token, as a longer one.
constexpr std::size_t enough_tokens = 128;

/// The log-probability of every scored node given those before it, after the tree was run from
/// `place` on.
std::vector<double> node_likelihoods(const LlamaContext& context, const LabelTrie& trie,
                                     std::size_t place) {
  std::vector<double> result(trie.nodes().size(), 0.0);
  for (const TrieNode& node : trie.nodes()) {
    if (node.next.empty()) continue;
    if (node.predicts) {
      const auto logits = context.logits(place);
      const double total = kernels::log_sum_exp(logits.data(), logits.size());
      require(std::isfinite(total), ErrorKind::backend,
              "the model's output is not finite; its file may be damaged");
      for (const std::size_t child : node.next) {
        const auto token = static_cast<std::size_t>(trie.nodes()[child].token);
        result[child] = static_cast<double>(logits[token]) - total;
      }
    }
    ++place;
  }
  return result;
}

void take_likelihoods(const LlamaContext& context, const LabelTrie& trie, std::size_t place,
                      std::span<LabelLikelihood> labels) {
  const std::vector<double> nodes = node_likelihoods(context, trie, place);
  for (Label y = 0; y < labels.size(); ++y) labels[y] = trie.likelihood(y, nodes);
}

}  // namespace

LlamaScoring::LlamaScoring(LlamaContext* context, ContextRoom room, const Tokens& reference,
                           LabelGroup group)
    : context_(context), room_(room), reference_(reference), group_(group) {
  for (Label s = 0; s < room.sequences; ++s) sequences_.push_back(s);
}

void LlamaScoring::score_shared(std::span<const TextPrompts> prompts,
                                std::span<ScoredText> scored) {
  keep(0);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    LabelTrie trie(prompts_of(prompts[i]), prompts[i].shared);
    const std::size_t tokens = trie.evaluated();
    if (prompts[i].shared < LlamaContext::least_tokens || tokens < LlamaContext::least_tokens ||
        reference_.size() + tokens > room_.tokens) {
      flush(scored);
      score_alone(prompts[i], scored[i]);
      continue;
    }
    if (pending_.size() == room_.texts || pending_tokens_ >= enough_tokens ||
        reference_.size() + pending_tokens_ + tokens > room_.tokens) {
      flush(scored);
    }
    scored[i].tokens += tokens;
    pending_tokens_ += tokens;
    pending_.push_back({.trie = std::move(trie), .text = i});
  }
  flush(scored);
}

void LlamaScoring::score_separately(const TextPrompts& prompts, ScoredText& scored) {
  for (Label y = 0; y < group_.count; ++y) {
    const LabelTrie trie(prompts_of(prompts).subspan(y, 1));
    run_alone(trie, labels_of(scored).subspan(y, 1), scored);
  }
}

std::span<const LabelPrompt> LlamaScoring::prompts_of(const TextPrompts& prompts) const {
  return std::span(prompts.labels).subspan(group_.first, group_.count);
}

std::span<LabelLikelihood> LlamaScoring::labels_of(ScoredText& scored) const {
  return std::span(scored.labels).subspan(group_.first, group_.count);
}

void LlamaScoring::keep(std::size_t positions) {
  if (context_ != nullptr) context_->keep(positions);
  has_reference_ = has_reference_ && positions > 0;
}

void LlamaScoring::score_alone(const TextPrompts& prompts, ScoredText& scored) {
  const LabelTrie trie(prompts_of(prompts));
  if (trie.evaluated() > room_.tokens) return score_separately(prompts, scored);
  run_alone(trie, labels_of(scored), scored);
}

void LlamaScoring::run_alone(const LabelTrie& trie, std::span<LabelLikelihood> labels,
                             ScoredText& scored) {
  keep(0);
  scored.tokens += trie.evaluated();
  if (context_ == nullptr) return;
  Pending one{.trie = trie};
  std::vector<RunToken> tokens;
  add_tokens(one, 0, tokens);
  context_->run(tokens);
  take_likelihoods(*context_, trie, 0, labels);
  keep(0);
}

void LlamaScoring::run_reference(ScoredText& scored) {
  std::vector<RunToken> tokens;
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    tokens.push_back({.token = reference_[i], .position = i, .sequences = sequences_});
  }
  if (context_ != nullptr) context_->run(tokens);
  scored.tokens += tokens.size();
  has_reference_ = true;
}

/// Runs what is pending.
void LlamaScoring::flush(std::span<ScoredText> scored) {
  if (pending_.empty()) return;
  if (!has_reference_) run_reference(scored[pending_.front().text]);
  if (context_ != nullptr) run_pending(scored);
  keep(reference_.size());
  pending_.clear();
  pending_tokens_ = 0;
}

void LlamaScoring::run_pending(std::span<ScoredText> scored) {
  std::vector<RunToken> tokens;
  for (std::size_t p = 0; p < pending_.size(); ++p) {
    add_tokens(pending_[p], p * group_.count, tokens);
  }
  context_->run(tokens);
  std::size_t place = 0;
  for (const Pending& one : pending_) {
    take_likelihoods(*context_, one.trie, place, labels_of(scored[one.text]));
    place += one.trie.evaluated();
  }
}

/// The labels of a text are sequences from `first` on.
void LlamaScoring::add_tokens(Pending& one, Label first, std::vector<RunToken>& tokens) {
  one.sequences.reserve(one.trie.nodes().size());
  for (const TrieNode& node : one.trie.nodes()) {
    if (node.next.empty()) continue;  // only looked up
    one.sequences.push_back(node.labels);
    for (Label& sequence : one.sequences.back()) sequence += first;
    tokens.push_back({.token = node.token,
                      .position = node.position,
                      .sequences = one.sequences.back(),
                      .predicts = node.predicts});
  }
}

}  // namespace caos::text
