#pragma once

#include <llama.h>

#include <memory>
#include <string>

#include "caos/text/models/tokenizer.hpp"

/// llama.cpp as a library: started once, and its complaints. For this folder alone.
namespace caos::text {

/// The last error that llama.cpp told this thread, in brackets after a space, as it returns only
/// that there was one; empty without.
[[nodiscard]] std::string llama_complaint();
void forget_llama_complaint();

/// The weights and vocabulary of a GGUF file.
struct LlamaFile {
  /// Throws `not_found` or `bad_format` for a file that is not a model.
  explicit LlamaFile(std::string path);

  std::string path{};
  std::unique_ptr<llama_model, decltype(&llama_model_free)> model{nullptr, llama_model_free};
  const llama_vocab* vocabulary = nullptr;

  /// `special`: names of special tokens become these. `around`: with what the model wants before
  /// and after a text. Throws `backend` where llama.cpp fails.
  [[nodiscard]] Tokens tokenize(const std::string& text, bool special, bool around = false) const;
};

}  // namespace caos::text
