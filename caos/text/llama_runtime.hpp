#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caos/text/prompt_tokens.hpp"
#include "caos/text/tokenizer.hpp"

/// llama.cpp, as far as scoring needs it. For llama_model.cpp; not for users of the library.
namespace caos::text {

/// The weights and vocabulary of a GGUF file. Safe to share between threads.
class LlamaWeights final : public Tokenizer {
 public:
  /// Throws `not_found` or `bad_format` for a file that is no model, `invalid_input` for one that
  /// does not continue text, `backend` in a build without llama.cpp.
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
  /// Whether a context can forget its last tokens alone. That of a recurrent model cannot.
  [[nodiscard]] bool can_go_back() const;

 private:
  friend class LlamaContext;
  struct State;
  std::unique_ptr<State> state_;
};

/// A token to be run through the model.
struct RunToken {
  Token token = 0;
  bool predicts = false;  ///< what comes after it is asked for
};

/// A memory of evaluated tokens. For one thread at a time.
/// What the model says of a token depends on those before it alone, to the last bit: not on how
/// they were divided into runs, nor on what was forgotten.
class LlamaContext {
 public:
  /// Holds `size` tokens. The weights must outlive it. Throws `backend` where there is not enough
  /// memory.
  LlamaContext(const LlamaWeights& weights, std::size_t size);
  ~LlamaContext();
  LlamaContext(const LlamaContext&) = delete;
  LlamaContext& operator=(const LlamaContext&) = delete;

  /// Forgets all tokens but the first `count`. Other than 0 or all only if the weights can go back.
  void keep(std::size_t count);
  /// Runs tokens after those it holds. Throws `backend` if that fails.
  void run(std::span<const RunToken> tokens);
  /// For a token of the last run that predicts, by its place in the run: one logit per token of the
  /// vocabulary. Valid until the next run.
  [[nodiscard]] std::span<const float> logits(std::size_t place) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caos::text
