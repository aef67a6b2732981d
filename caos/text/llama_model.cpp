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

/// The prompts of one text among those that are run at once.
struct Pending {
  LabelTrie trie;
  std::size_t text = 0;
  std::vector<std::vector<Label>> sequences{};  // by node that is run
};

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

/// How much a context holds and runs at once.
struct Room {
  std::size_t tokens = 0;
  std::size_t sequences = 0;
  std::size_t predictions = 0;
  std::size_t texts = 0;  ///< whose labels are run at once
};

/// A run of that many is as fast, per token, as a longer one.
constexpr std::size_t enough_tokens = 128;

/// For groups of that many labels.
Room room_for(const PromptTokens& prompts, std::size_t group, bool separate) {
  const std::size_t labels = prompts.label_tokens();
  const std::size_t most = std::min(256 / labels, LlamaWeights::most_sequences() / group);
  const std::size_t texts = separate ? 1 : std::clamp<std::size_t>(most, 1, 16);
  return {.tokens = prompts.context() + std::max<std::size_t>(labels, 512),
          .sequences = texts * group,
          .predictions = texts * labels,
          .texts = texts};
}

/// Scores texts after one reference in one context, which holds the reference for as long as it
/// can. Without a context it only counts tokens.
class Scoring {
 public:
  Scoring(LlamaContext* context, Room room, const Tokens& reference, Group group)
      : context_(context), room_(room), reference_(reference), group_(group) {
    for (Label s = 0; s < room.sequences; ++s) sequences_.push_back(s);
  }

  /// All labels of several texts at once, after the reference. Where a text leaves too little to
  /// run, or changes the tokens of the reference, after nothing.
  void score_shared(std::span<const TextPrompts> prompts, std::span<ScoredText> scored) {
    keep(0);
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      LabelTrie trie(prompts_of(prompts[i]), prompts[i].shared);
      const std::size_t tokens = trie.evaluated();
      if (prompts[i].shared == 0 || tokens < LlamaContext::least_tokens ||
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

  /// Every label in an empty context.
  void score_separately(const TextPrompts& prompts, ScoredText& scored) {
    for (Label y = 0; y < group_.count; ++y) {
      const LabelTrie trie(prompts_of(prompts).subspan(y, 1));
      run_alone(trie, labels_of(scored).subspan(y, 1), scored);
    }
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

  void score_alone(const TextPrompts& prompts, ScoredText& scored) {
    const LabelTrie trie(prompts_of(prompts));
    if (trie.evaluated() > room_.tokens) return score_separately(prompts, scored);
    run_alone(trie, labels_of(scored), scored);
  }

  void run_alone(const LabelTrie& trie, std::span<LabelLikelihood> labels, ScoredText& scored) {
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

  void run_reference(ScoredText& scored) {
    std::vector<RunToken> tokens;
    for (std::size_t i = 0; i < reference_.size(); ++i) {
      tokens.push_back({.token = reference_[i], .position = i, .sequences = sequences_});
    }
    if (context_ != nullptr) context_->run(tokens);
    scored.tokens += tokens.size();
    has_reference_ = true;
  }

  /// Runs what is pending.
  void flush(std::span<ScoredText> scored) {
    if (pending_.empty()) return;
    if (!has_reference_) run_reference(scored[pending_.front().text]);
    if (context_ != nullptr) run_pending(scored);
    keep(reference_.size());
    pending_.clear();
    pending_tokens_ = 0;
  }

  void run_pending(std::span<ScoredText> scored) {
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
  static void add_tokens(Pending& one, Label first, std::vector<RunToken>& tokens) {
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

  LlamaContext* context_;
  Room room_;
  const Tokens& reference_;
  Group group_;
  std::vector<Label> sequences_;
  std::vector<Pending> pending_;
  std::size_t pending_tokens_ = 0;
  bool has_reference_ = false;
};

/// Contexts for as many threads as ask at once; the weights are shared.
class ContextPool {
 public:
  ContextPool(const LlamaWeights& weights, Room room) : weights_(weights), room_(room) {}

  [[nodiscard]] const Room& room() const { return room_; }

  [[nodiscard]] std::unique_ptr<LlamaContext> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto context = std::move(idle_.back());
        idle_.pop_back();
        return context;
      }
    }
    return std::make_unique<LlamaContext>(weights_, room_.tokens, room_.sequences,
                                          room_.predictions);
  }

  void give_back(std::unique_ptr<LlamaContext> context) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(context));
  }

 private:
  const LlamaWeights& weights_;
  Room room_;
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
        contexts_(weights_, room_for(prompts_, separate_ ? 1 : largest(groups_), separate_)) {}

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
    Scoring scoring(context, contexts_.room(), shared.shared, group);
    if (!separate_) {
      scoring.score_shared(prompts, scored);
      continue;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) scoring.score_separately(prompts[i], scored[i]);
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
