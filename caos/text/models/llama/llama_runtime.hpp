#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/models/prompt_tokens.hpp"
#include "caos/text/models/tokenizer.hpp"

/// llama.cpp, as far as scoring needs it. For llama_model.cpp; not for users of the library.
namespace caos::text {

/// The weights and vocabulary of a GGUF file. Safe to share between threads.
class LlamaWeights final : public Tokenizer {
 public:
  /// Throws `not_found` or `bad_format` for a file that is not a model, `invalid_input` for one
  /// that does not continue text, `backend` in a build without llama.cpp.
  explicit LlamaWeights(const std::string& path);
  ~LlamaWeights() override;
  LlamaWeights(const LlamaWeights&) = delete;
  LlamaWeights& operator=(const LlamaWeights&) = delete;

  [[nodiscard]] Tokens tokenize(const std::string& text) const override;
  [[nodiscard]] Tokens tokenize_special(const std::string& text) const override;

  /// What stands around a prompt. Throws `invalid_input` for a chat with a model whose template is
  /// missing or unknown to llama.cpp.
  [[nodiscard]] PromptFrame frame(bool chat) const;

  /// Tokens that the model was trained to see at once.
  [[nodiscard]] std::size_t trained_context() const;
  /// Whether sequences can share their beginning and be cut back to it. Those of a recurrent model
  /// cannot.
  [[nodiscard]] bool can_fork() const;
  /// Sequences that one context can hold.
  [[nodiscard]] static std::size_t most_sequences();

 private:
  friend class LlamaContext;
  struct State;
  std::unique_ptr<State> state_;
};

/// A token to be run through the model.
struct RunToken {
  Token token = 0;
  std::size_t position = 0;
  std::span<const Label> sequences{};  ///< that it belongs to, ascending
  bool predicts = false;               ///< what comes after it is asked for
};

/// A memory of evaluated tokens in numbered sequences, which may share them. For one thread at a
/// time.
///
/// What the model says after a token depends on the tokens before it in its sequence, to the last
/// bit: not on other sequences, nor on how tokens were divided into runs, as long as a run has at
/// least `least_tokens` of them (docs/project/decisions/0021).
class LlamaContext {
 public:
  static constexpr std::size_t least_tokens = 8;

  /// Holds `size` tokens in all, of which a run may have that many that predict. The weights must
  /// outlive it. Throws `backend` where there is not enough memory.
  LlamaContext(const LlamaWeights& weights, std::size_t size, std::size_t sequences,
               std::size_t predictions);
  ~LlamaContext();
  LlamaContext(const LlamaContext&) = delete;
  LlamaContext& operator=(const LlamaContext&) = delete;

  /// Forgets all tokens from this position on, in all sequences. Other than 0 only if the weights
  /// can fork.
  void keep(std::size_t positions);
  /// Runs tokens, each after those before it in its sequences. Throws `backend` if that fails.
  void run(std::span<const RunToken> tokens);
  /// For a token of the last run that predicts, by its place in the run: one logit per token of the
  /// vocabulary. Valid until the next run.
  [[nodiscard]] std::span<const float> logits(std::size_t place) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caos::text
