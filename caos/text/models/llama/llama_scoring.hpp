#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/text/models/label_trie.hpp"
#include "caos/text/models/language_model.hpp"
#include "caos/text/models/llama/llama_runtime.hpp"
#include "caos/text/models/prompt_tokens.hpp"

// For llama_model.cpp; not for users of the library.
namespace caos::text {

/// Labels that are scored together, each as a sequence of its own.
struct LabelGroup {
  Label first = 0;
  std::size_t count = 0;
};

/// How much a context holds and runs at once.
struct ContextRoom {
  std::size_t tokens = 0;
  std::size_t sequences = 0;
  std::size_t predictions = 0;
  std::size_t texts = 0;  ///< whose labels are run at once
};

/// Scores texts after one reference in one context, which holds the reference for as long as it
/// can. Without a context it only counts tokens.
class LlamaScoring {
 public:
  /// The context, if there is one, and the reference must outlive it.
  LlamaScoring(LlamaContext* context, ContextRoom room, const Tokens& reference, LabelGroup group);

  /// All labels of several texts at once, after the reference. Where a text leaves too little to
  /// run, or changes the tokens of the reference, after nothing.
  void score_shared(std::span<const TextPrompts> prompts, std::span<ScoredText> scored);

  /// Every label in an empty context.
  void score_separately(const TextPrompts& prompts, ScoredText& scored);

 private:
  /// The prompts of one text among those that are run at once.
  struct Pending {
    LabelTrie trie;
    std::size_t text = 0;
    std::vector<std::vector<Label>> sequences{};  // by node that is run
  };

  [[nodiscard]] std::span<const LabelPrompt> prompts_of(const TextPrompts& prompts) const;
  [[nodiscard]] std::span<LabelLikelihood> labels_of(ScoredText& scored) const;
  void keep(std::size_t positions);
  void score_alone(const TextPrompts& prompts, ScoredText& scored);
  void run_alone(const LabelTrie& trie, std::span<LabelLikelihood> labels, ScoredText& scored);
  void run_reference(ScoredText& scored);
  void flush(std::span<ScoredText> scored);
  void run_pending(std::span<ScoredText> scored);
  static void add_tokens(Pending& one, Label first, std::vector<RunToken>& tokens);

  LlamaContext* context_;
  ContextRoom room_;
  const Tokens& reference_;
  LabelGroup group_;
  std::vector<Label> sequences_;
  std::vector<Pending> pending_;
  std::size_t pending_tokens_ = 0;
  bool has_reference_ = false;
};

}  // namespace caos::text
