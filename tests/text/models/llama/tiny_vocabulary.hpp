#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caos::test {

using Token = std::int32_t;

/// The kinds that a GGUF file gives to its tokens.
enum class PieceKind : std::int32_t { normal = 1, unknown = 2, control = 3, byte = 6 };

struct Piece {
  std::string text{};  ///< a space is written as U+2581
  float score = 0;  ///< of two merges that are possible, the one with the higher score comes first
  PieceKind kind = PieceKind::normal;
};

/// A small vocabulary of the SentencePiece kind: <unk>, <s>, </s>, a token for every byte,
/// printable ASCII, some letters with accents, and merged pieces. Most are the beginnings of common
/// words, with the space before them. Some hold the colon that ends a prompt: a label that begins
/// with "a" takes the colon into its first token, one that begins with "z" takes the letter before
/// it too.
[[nodiscard]] const std::vector<Piece>& tiny_vocabulary();

inline constexpr Token tiny_bos = 1;
inline constexpr Token tiny_eos = 2;

/// The tokens of a text, without BOS, found the slow way: of all neighbors that make a piece, the
/// two with the highest score are merged, the leftmost first, until there are none. Other
/// text becomes bytes. A text begins with a space that is not written; an empty text has no
/// tokens.
[[nodiscard]] std::vector<Token> reference_tokens(std::string_view text);

/// The text that the tokens stand for, with the unwritten space; BOS and EOS stand for nothing.
[[nodiscard]] std::string reference_text(std::span<const Token> tokens);

}  // namespace caos::test
