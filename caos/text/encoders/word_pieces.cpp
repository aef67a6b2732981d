#include "caos/text/encoders/word_pieces.hpp"

#include <algorithm>

#include "caos/io/utf8.hpp"

namespace caos::text {
namespace {

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::vector<TokenId> WordPieces::tokens_of(std::string_view word) const {
  if (count_characters(word) > most_characters) return {unknown};
  std::vector<TokenId> tokens;
  for (std::size_t start = 0; start < word.size();) {
    const std::string prefix = start > 0 ? continuing_prefix : "";
    std::size_t size = word.size() - start;
    auto found = vocabulary.end();
    while (size > 0) {
      found = vocabulary.find(prefix + std::string(word.substr(start, size)));
      if (found != vocabulary.end()) break;
      size = character_start(word.substr(start), size - 1);
    }
    if (size == 0) return {unknown};
    tokens.push_back(found->second);
    start += size;
  }
  return tokens;
}

}  // namespace caos::text
