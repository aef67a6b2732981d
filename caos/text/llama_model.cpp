#include "caos/text/llama_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/kernels/log_sum_exp.hpp"
#include "caos/text/label_trie.hpp"
#include "caos/text/llama_runtime.hpp"
#include "caos/text/prompt_tokens.hpp"

namespace caos::text {
namespace {

/// Labels that are scored together, each as a sequence of its own.
struct Group {
  Label first = 0;
  std::size_t count = 0;
};

/// As few groups as there can be, of nearly the same size.
std::vector<Group> groups_of(std::size_t labels, std::size_t most) {
  const std::size_t groups = (labels + most - 1) / most;
  std::vector<Group> result;
  for (std::size_t g = 0; g < groups; ++g) {
    const Label first = labels * g / groups;
    result.push_back({.first = first, .count = labels * (g + 1) / groups - first});
  }
  return result;
}

std::size_t largest(const std::vector<Group>& groups) {
  std::size_t count = 0;
  for (const Group group : groups) count = std::max(count, group.count);
  return count;
}

std::vector<RunToken> run_tokens(const LabelTrie& trie) {
  std::vector<RunToken> tokens;
  for (const TrieNode& node : trie.nodes()) {
    if (node.next.empty()) continue;  // only looked up
    tokens.push_back({.token = node.token,
                      .position = node.position,
                      .sequences = node.labels,
                      .predicts = node.predicts});
  }
  return tokens;
}

/// The log-probability of every scored node given those before it, after the tree was run.
std::vector<double> node_likelihoods(const LlamaContext& context, const LabelTrie& trie) {
  std::vector<double> result(trie.nodes().size(), 0.0);
  std::size_t place = 0;
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

void evaluate(LlamaContext& context, const LabelTrie& trie, std::span<LabelLikelihood> labels) {
  context.run(run_tokens(trie));
  const std::vector<double> nodes = node_likelihoods(context, trie);
  for (Label y = 0; y < labels.size(); ++y) {
    const auto path = trie.scored_path(y);
    labels[y] = {.log_likelihood = 0, .tokens = static_cast<std::uint32_t>(path.size())};
    for (const std::size_t node : path) labels[y].log_likelihood += nodes[node];
    // A rounding error above a probability of one.
    labels[y].log_likelihood = std::min(labels[y].log_likelihood, 0.0);
  }
}

/// Scores texts after one reference in one context, which holds the reference for as long as it
/// can. Without a context it only counts tokens.
class Scoring {
 public:
  Scoring(LlamaContext* context, std::size_t size, const Tokens& reference, Group group)
      : context_(context), size_(size), reference_(reference), group_(group) {
    for (Label y = 0; y < group.count; ++y) sequences_.push_back(y);
    keep(0);
  }

  /// All labels at once, after the reference or, where the text leaves too little to run or has
  /// other tokens, after nothing.
  void score_shared(const TextPrompts& prompts, ScoredText& scored) {
    const LabelTrie after(prompts_of(prompts), prompts.shared);
    if (prompts.shared + after.evaluated() > size_) return score_separately(prompts, scored);
    if (prompts.shared > 0 && after.evaluated() >= LlamaContext::least_tokens) {
      if (!has_reference_) run_reference(scored);
      run(after, labels_of(scored), scored);
      keep(prompts.shared);
    } else {
      keep(0);
      run(LabelTrie(prompts_of(prompts)), labels_of(scored), scored);
      keep(0);
    }
  }

  /// Every label in an empty context.
  void score_separately(const TextPrompts& prompts, ScoredText& scored) {
    for (Label y = 0; y < group_.count; ++y) {
      keep(0);
      run(LabelTrie(prompts_of(prompts).subspan(y, 1)), labels_of(scored).subspan(y, 1), scored);
    }
    keep(0);
  }

 private:
  [[nodiscard]] std::span<const LabelPrompt> prompts_of(const TextPrompts& prompts) const {
    return std::span(prompts.labels).subspan(group_.first, group_.count);
  }
  [[nodiscard]] std::span<LabelLikelihood> labels_of(ScoredText& scored) const {
    return std::span(scored.labels).subspan(group_.first, group_.count);
  }

  void keep(std::size_t positions) {
    if (context_ != nullptr) context_->keep(positions);
    has_reference_ = has_reference_ && positions > 0;
  }

  void run_reference(ScoredText& scored) {
    std::vector<RunToken> tokens;
    for (std::size_t i = 0; i < reference_.size(); ++i) {
      tokens.push_back({.token = reference_[i], .position = i, .sequences = sequences_});
    }
    if (context_ != nullptr) context_->run(tokens);
    scored.tokens += tokens.size();
    has_reference_ = true;
  }

  void run(const LabelTrie& trie, std::span<LabelLikelihood> labels, ScoredText& scored) {
    scored.tokens += trie.evaluated();
    if (context_ != nullptr) evaluate(*context_, trie, labels);
  }

  LlamaContext* context_;
  std::size_t size_;
  const Tokens& reference_;
  Group group_;
  std::vector<Label> sequences_;
  bool has_reference_ = false;
};

/// Contexts for as many threads as ask at once; the weights are shared.
class ContextPool {
 public:
  ContextPool(const LlamaWeights& weights, std::size_t size, std::size_t sequences,
              std::size_t predictions)
      : weights_(weights), size_(size), sequences_(sequences), predictions_(predictions) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::unique_ptr<LlamaContext> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto context = std::move(idle_.back());
        idle_.pop_back();
        return context;
      }
    }
    return std::make_unique<LlamaContext>(weights_, size_, sequences_, predictions_);
  }

  void give_back(std::unique_ptr<LlamaContext> context) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(context));
  }

 private:
  const LlamaWeights& weights_;
  std::size_t size_;
  std::size_t sequences_;
  std::size_t predictions_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LlamaContext>> idle_;
};

class LlamaModel final : public LanguageModel {
 public:
  LlamaModel(const std::string& path, Question question, const LanguageModelOptions& options,
             bool separate)
      : name_(std::filesystem::path(path).filename().string()),
        hash_(io::checksum128({io::MappedFile::open(path).bytes()})),
        chat_(options.chat),
        weights_(path),
        prompts_(weights_, std::move(question),
                 options.context == 0 ? weights_.trained_context() : options.context,
                 weights_.frame(options.chat)),
        separate_(separate || !weights_.can_fork()),
        groups_(groups_of(prompts_.question().labels.size(), LlamaWeights::most_sequences())),
        contexts_(weights_, prompts_.context() + prompts_.label_tokens(),
                  weights_.can_fork() ? largest(groups_) : 1, prompts_.label_tokens()) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format("llama:{}, context {}{}", name_, prompts_.context(), chat_ ? ", chat" : "");
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("llama {} context {}{}", hash_, prompts_.context(), chat_ ? " chat" : "");
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    // One that failed is not given back: nobody knows what it holds.
    auto context = contexts_.take();
    auto scored = score_in(context.get(), reference, texts, nullptr);
    contexts_.give_back(std::move(context));
    return scored;
  }

  [[nodiscard]] ScoringCost cost(const LabeledText& reference,
                                 std::span<const std::string> texts) const override {
    ScoringCost cost;
    for (const ScoredText& text : score_in(nullptr, reference, texts, &cost.separate_tokens)) {
      cost.tokens += text.tokens;
      cost.shortened += text.shortened ? 1 : 0;
    }
    return cost;
  }

 private:
  [[nodiscard]] std::vector<ScoredText> score_in(LlamaContext* context,
                                                 const LabeledText& reference,
                                                 std::span<const std::string> texts,
                                                 std::uint64_t* separate_tokens) const;

  std::string name_;
  std::string hash_;
  bool chat_;
  LlamaWeights weights_;
  PromptTokens prompts_;
  bool separate_;
  std::vector<Group> groups_;
  mutable ContextPool contexts_;
};

std::vector<ScoredText> LlamaModel::score_in(LlamaContext* context, const LabeledText& reference,
                                             std::span<const std::string> texts,
                                             std::uint64_t* separate_tokens) const {
  const ReferencePrompt shared = prompts_.reference(reference);
  std::vector<TextPrompts> prompts;
  std::vector<ScoredText> scored;
  for (const std::string& text : texts) {
    prompts.push_back(prompts_.prompts(shared, text));
    scored.push_back({.labels = std::vector<LabelLikelihood>(prompts.back().labels.size()),
                      .shortened = prompts.back().shortened});
    if (separate_tokens != nullptr) *separate_tokens += prompts.back().separate_tokens();
  }
  for (const Group group : groups_) {
    Scoring scoring(context, contexts_.size(), shared.shared, group);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (separate_) {
        scoring.score_separately(prompts[i], scored[i]);
      } else {
        scoring.score_shared(prompts[i], scored[i]);
      }
    }
  }
  return scored;
}

}  // namespace

std::unique_ptr<LanguageModel> make_llama_model(const std::string& path, Question question,
                                                const LanguageModelOptions& options) {
  return std::make_unique<LlamaModel>(path, std::move(question), options, false);
}

std::unique_ptr<LanguageModel> make_separate_llama_model(const std::string& path, Question question,
                                                         const LanguageModelOptions& options) {
  return std::make_unique<LlamaModel>(path, std::move(question), options, true);
}

}  // namespace caos::text
