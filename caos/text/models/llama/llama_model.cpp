#include "caos/text/models/llama/llama_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/text/models/llama/llama_runtime.hpp"
#include "caos/text/models/llama/llama_scoring.hpp"
#include "caos/text/models/prompt_tokens.hpp"

namespace caos::text {
namespace {

/// As few groups as there can be, of nearly the same size.
std::vector<LabelGroup> groups_of(std::size_t labels, std::size_t most) {
  const std::size_t groups = (labels + most - 1) / most;
  std::vector<LabelGroup> result;
  for (std::size_t g = 0; g < groups; ++g) {
    const Label first = labels * g / groups;
    result.push_back({.first = first, .count = labels * (g + 1) / groups - first});
  }
  return result;
}

std::size_t largest(const std::vector<LabelGroup>& groups) {
  std::size_t count = 0;
  for (const LabelGroup group : groups) count = std::max(count, group.count);
  return count;
}

/// For groups of that many labels.
ContextRoom room_for(const PromptTokens& prompts, std::size_t group, bool separate) {
  const std::size_t labels = prompts.label_tokens();
  const std::size_t most = std::min(256 / labels, LlamaWeights::most_sequences() / group);
  const std::size_t texts = separate ? 1 : std::clamp<std::size_t>(most, 1, 16);
  return {.tokens = prompts.context() + std::max<std::size_t>(labels, 512),
          .sequences = texts * group,
          .predictions = texts * labels,
          .texts = texts};
}

/// Contexts for as many threads as ask at once; the weights are shared.
class ContextPool {
 public:
  ContextPool(const LlamaWeights& weights, ContextRoom room) : weights_(weights), room_(room) {}

  [[nodiscard]] const ContextRoom& room() const { return room_; }

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
  ContextRoom room_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LlamaContext>> idle_;
};

/// More than the model was trained with would give meaningless likelihoods.
std::size_t context_of(const LlamaWeights& weights, std::size_t wanted, const std::string& path) {
  const std::size_t most = weights.trained_context();
  require(wanted <= most, ErrorKind::invalid_input, [&] {
    return fmt::format("context {}: {} was trained with {} tokens; give at most that", wanted, path,
                       most);
  });
  return wanted == 0 ? most : wanted;
}

class LlamaModel final : public LanguageModel {
 public:
  LlamaModel(const std::string& path, Question question, const LanguageModelOptions& options,
             bool separate)
      : name_(std::filesystem::path(path).filename().string()),
        hash_(io::checksum128({io::MappedFile::open(path).bytes()})),
        chat_(options.chat),
        weights_(path),
        prompts_(weights_, std::move(question), context_of(weights_, options.context, path),
                 weights_.frame(options.chat)),
        separate_(separate || !weights_.can_fork()),
        groups_(groups_of(prompts_.question().labels.size(), LlamaWeights::most_sequences())),
        contexts_(weights_, room_for(prompts_, separate_ ? 1 : largest(groups_), separate_)) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format("llama:{}, context {}{}", name_, prompts_.context(), chat_ ? ", chat" : "");
  }

  [[nodiscard]] std::string identity() const override {
    // Another version may round in another way, or cut texts by another rule.
    return fmt::format("{} {} context {}{}, prompts {}", llama_version(), hash_, prompts_.context(),
                       chat_ ? " chat" : "", PromptTokens::version);
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    // A context that failed is not reused: its state is unknown.
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
  std::vector<LabelGroup> groups_;
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
  for (const LabelGroup group : groups_) {
    LlamaScoring scoring(context, contexts_.room(), shared.shared, group);
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
