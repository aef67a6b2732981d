#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"

namespace caos::text {

/// Vectors of texts, in their order.
struct EncodedTexts {
  Matrix<float> vectors{};        ///< [texts, dimension]; every row has length 1
  std::vector<bool> truncated{};  ///< by text: it was too long, and its end was left out
};

/// A fixed model that turns a text into a vector, so that similar texts have similar vectors.
/// Nothing in it may be fitted to the user's data.
class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  /// For people, one line: "encoder:all-MiniLM-L6-v2, 384 dimensions, at most 128 tokens".
  [[nodiscard]] virtual std::string description() const = 0;

  /// Everything that vectors depend on besides the text: kind, content hash, pooling, limits. Names
  /// no path. Two encoders with one identity give the same vectors.
  [[nodiscard]] virtual std::string identity() const = 0;

  [[nodiscard]] virtual std::size_t dimension() const = 0;

  /// The vector of every text. Each is a function of its text alone: which other texts are in the
  /// call, and threads, change nothing. Texts are UTF-8 and may be empty. Safe to call from several
  /// threads. Failures of the runtime are an Error backend; a vector that is zero or not finite is
  /// an Error bad_format.
  [[nodiscard]] virtual EncodedTexts embed(std::span<const std::string> texts) const = 0;
};

}  // namespace caos::text
