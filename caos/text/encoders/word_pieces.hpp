#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace caos::text {

using TokenId = std::int64_t;

/// Cuts words into the longest pieces that a vocabulary has, from left to right.
struct WordPieces {
  std::unordered_map<std::string, TokenId> vocabulary{};
  TokenId unknown = 0;
  std::string continuing_prefix = "##";  ///< of pieces that do not begin a word
  std::size_t most_characters = 100;     ///< of a word; a longer one is unknown

  /// The tokens of a word; the unknown one alone where it cannot be cut into pieces.
  [[nodiscard]] std::vector<TokenId> tokens_of(std::string_view word) const;
};

}  // namespace caos::text
