#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace caos::text {

using Token = std::int32_t;
using Tokens = std::vector<Token>;

/// How a model cuts text into tokens.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// The tokens of the text as it stands: none are added, and names of special tokens in it are
  /// ordinary characters.
  [[nodiscard]] virtual Tokens tokenize(const std::string& text) const = 0;

  /// The same, but names of special tokens become these. For text of the model's own.
  [[nodiscard]] virtual Tokens tokenize_special(const std::string& text) const = 0;
};

}  // namespace caos::text
