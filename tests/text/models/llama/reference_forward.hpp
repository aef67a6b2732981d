#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "caos/text/models/language_model.hpp"
#include "tests/text/models/llama/tiny_gguf.hpp"
#include "tests/text/models/llama/tiny_vocabulary.hpp"

namespace caos::test {

/// A label as the continuation of a prompt.
struct Continuation {
  std::size_t first = 0;                    ///< where its tokens begin
  std::vector<Token> tokens{};              ///< all, with those of the prompt before it
  std::vector<double> log_probabilities{};  ///< of the tokens from `first` on

  [[nodiscard]] double log_likelihood() const;
};

/// How attention keeps what it has seen.
enum class Memory {
  exact,         ///< in double precision
  short_floats,  ///< queries and keys as 16-bit floats and values as bfloat16, like `llama:` models
};

/// The model of a TinyGguf in plain loops and double precision: the oracle of scorers.
class ReferenceForward {
 public:
  explicit ReferenceForward(const TinyGguf& model, Memory memory = Memory::exact);

  /// What the model sees of a text: BOS, if it wants one, and the text's tokens.
  [[nodiscard]] std::vector<Token> tokens(std::string_view text) const;

  /// For each position the state that the logits are made from.
  [[nodiscard]] std::vector<std::vector<double>> states(std::span<const Token> tokens) const;

  /// For each position the logits of the token after it.
  [[nodiscard]] std::vector<std::vector<double>> logits(std::span<const Token> tokens) const;

  /// For each position but the last, the natural log-probability of the token after it, given all
  /// tokens up to it.
  [[nodiscard]] std::vector<double> log_probabilities(std::span<const Token> tokens) const;

  /// Prompt and continuation are made into tokens together. Scored is what comes after the tokens
  /// that this and the prompt by itself have in common.
  [[nodiscard]] Continuation continuation(const std::string& prompt,
                                          const std::string& continuation) const;

 private:
  using Vector = std::vector<double>;

  [[nodiscard]] const TinyTensor& weight(const std::string& name) const;
  [[nodiscard]] Vector times(const std::string& matrix, const Vector& x) const;
  [[nodiscard]] Vector norm(const std::string& factors, const Vector& x) const;
  [[nodiscard]] std::vector<Vector> attention(const std::string& layer,
                                              const std::vector<Vector>& states) const;
  [[nodiscard]] Vector feed_forward(const std::string& layer, const Vector& state) const;

  TinyGguf model_;
  Memory memory_;
  std::map<std::string, TinyTensor> weights_;
};

/// The nearest number to a normal one that has only so many binary digits, of two the even one.
[[nodiscard]] double rounded(double value, int digits);

/// The natural logarithm of the softmax.
[[nodiscard]] std::vector<double> log_softmax(std::span<const double> logits);

/// What a scorer says of every label for `text` after `reference`, where the prompt fits.
[[nodiscard]] std::vector<LabelLikelihood> reference_likelihoods(const ReferenceForward& model,
                                                                 const text::Question& question,
                                                                 const text::LabeledText& reference,
                                                                 const std::string& text);

}  // namespace caos::test
