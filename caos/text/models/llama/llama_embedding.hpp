#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

/// Embedding models of llama.cpp. For text/encoders; not for users of the library.
namespace caos::text {

/// A model that turns a text into one vector, by the pooling that its GGUF file names. Texts are
/// run one by one, so that a vector depends on nothing but its text. Safe to share between threads.
class LlamaEmbedding {
 public:
  /// Texts may have `context` tokens, or, for 0, as many as the model was trained with, but no more
  /// than `usual_context`. Throws `not_found` or `bad_format` for a file that is not a model,
  /// `invalid_input` for one without pooling and for a context that is too large or too small,
  /// `backend` in a build without llama.cpp.
  LlamaEmbedding(const std::string& path, std::size_t context);
  ~LlamaEmbedding();
  LlamaEmbedding(const LlamaEmbedding&) = delete;
  LlamaEmbedding& operator=(const LlamaEmbedding&) = delete;

  static constexpr std::size_t usual_context = 2048;  ///< memory grows with its square

  [[nodiscard]] std::size_t dimension() const;
  [[nodiscard]] std::size_t context() const;
  /// "mean", "cls" or "last".
  [[nodiscard]] std::string pooling() const;

  /// Writes the vector of a text, `dimension()` values, and returns whether the end of the text was
  /// left out because it has too many tokens. Throws `backend` where llama.cpp fails.
  bool embed(const std::string& text, std::span<float> vector) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caos::text
