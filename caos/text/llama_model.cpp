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

/// The nodes from this one on that have no sibling, as far as they are run.
std::vector<std::size_t> chain_from(const LabelTrie& trie, std::size_t first) {
  std::vector<std::size_t> chain{first};
  while (true) {
    const TrieNode& last = trie.nodes()[chain.back()];
    if (last.next.size() != 1 || trie.nodes()[last.next.front()].next.empty()) return chain;
    chain.push_back(last.next.front());
  }
}

/// Scores texts after one reference in one context, which holds the reference for as long as it
/// can. Without a context it only counts tokens.
///
/// Branches of a tree are run one after another, each where the one before it was, not side by side
/// in one run: a token's neighbours in memory would then depend on the other labels, sums would be
/// made in another order, and the rounding inside quantized models turns a last bit into the second
/// digit of a likelihood (docs/decisions/0021).
class Scoring {
 public:
  Scoring(LlamaContext* context, const Tokens& reference)
      : context_(context), reference_(reference) {
    keep(0);
  }

  /// The tokens that all labels have in common once, after the reference if the text leaves its
  /// tokens as they are.
  void score_shared(const TextPrompts& prompts, ScoredText& scored) {
    const LabelTrie trie(prompts.labels, prompts.shared);
    if (prompts.shared == 0) {
      keep(0);
    } else if (!has_reference_) {
      run_reference(scored);
    }
    evaluate(trie, scored.labels, scored);
    keep(prompts.shared);
  }

  /// Every label in an empty context.
  void score_separately(const TextPrompts& prompts, ScoredText& scored) {
    for (Label y = 0; y < scored.labels.size(); ++y) {
      keep(0);
      evaluate(LabelTrie(std::span(prompts.labels).subspan(y, 1)),
               std::span(scored.labels).subspan(y, 1), scored);
    }
  }

 private:
  void keep(std::size_t count) {
    if (context_ != nullptr) context_->keep(count);
    has_reference_ = has_reference_ && count > 0;
  }

  void run_reference(ScoredText& scored) {
    keep(0);
    std::vector<RunToken> tokens;
    for (const Token token : reference_) tokens.push_back({.token = token});
    if (context_ != nullptr) context_->run(tokens);
    scored.tokens += tokens.size();
    has_reference_ = true;
  }

  void evaluate(const LabelTrie& trie, std::span<LabelLikelihood> labels, ScoredText& scored) {
    scored.tokens += trie.evaluated();
    if (context_ == nullptr) return;
    const std::vector<double> nodes = node_likelihoods(trie);
    for (Label y = 0; y < labels.size(); ++y) {
      const auto path = trie.scored_path(y);
      labels[y] = {.log_likelihood = 0, .tokens = static_cast<std::uint32_t>(path.size())};
      for (const std::size_t node : path) labels[y].log_likelihood += nodes[node];
      // A rounding error above a probability of one.
      labels[y].log_likelihood = std::min(labels[y].log_likelihood, 0.0);
    }
  }

  /// The log-probability of every scored node given those before it.
  [[nodiscard]] std::vector<double> node_likelihoods(const LabelTrie& trie) {
    std::vector<double> result(trie.nodes().size(), 0.0);
    for (std::size_t first = 0; first < trie.nodes().size();) {
      const TrieNode& node = trie.nodes()[first];
      if (node.next.empty()) {
        ++first;
        continue;
      }
      const auto chain = chain_from(trie, first);
      context_->keep(node.position);
      run_chain(trie, chain, result);
      first = chain.back() + 1;
    }
    return result;
  }

  void run_chain(const LabelTrie& trie, const std::vector<std::size_t>& chain,
                 std::vector<double>& likelihoods) {
    std::vector<RunToken> tokens;
    for (const std::size_t i : chain) {
      tokens.push_back({.token = trie.nodes()[i].token, .predicts = trie.nodes()[i].predicts});
    }
    context_->run(tokens);
    for (std::size_t place = 0; place < chain.size(); ++place) {
      if (tokens[place].predicts) look_up(trie, chain[place], place, likelihoods);
    }
  }

  void look_up(const LabelTrie& trie, std::size_t node, std::size_t place,
               std::vector<double>& likelihoods) {
    const auto logits = context_->logits(place);
    const double total = kernels::log_sum_exp(logits.data(), logits.size());
    require(std::isfinite(total), ErrorKind::backend,
            "the model's output is not finite; its file may be damaged");
    for (const std::size_t child : trie.nodes()[node].next) {
      const auto token = static_cast<std::size_t>(trie.nodes()[child].token);
      likelihoods[child] = static_cast<double>(logits[token]) - total;
    }
  }

  LlamaContext* context_;
  const Tokens& reference_;
  bool has_reference_ = false;
};

/// Contexts for as many threads as ask at once; the weights are shared.
class ContextPool {
 public:
  ContextPool(const LlamaWeights& weights, std::size_t size) : weights_(weights), size_(size) {}

  [[nodiscard]] std::unique_ptr<LlamaContext> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto context = std::move(idle_.back());
        idle_.pop_back();
        return context;
      }
    }
    return std::make_unique<LlamaContext>(weights_, size_);
  }

  void give_back(std::unique_ptr<LlamaContext> context) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(context));
  }

 private:
  const LlamaWeights& weights_;
  std::size_t size_;
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
        separate_(separate || !weights_.can_go_back()),
        contexts_(weights_, prompts_.context()) {}

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
  Scoring scoring(context, shared.shared);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (separate_) {
      scoring.score_separately(prompts[i], scored[i]);
    } else {
      scoring.score_shared(prompts[i], scored[i]);
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
