#pragma once

#include <string>
#include <string_view>

#include "caos/text/encoders/word_piece_tokenizer.hpp"

namespace caos::text {

/// Reads a tokenizer.json with a WordPiece model, BertNormalizer and BertPreTokenizer. Throws
/// `bad_format`, naming the file, for another kind of tokenizer, saying what to use instead, and
/// for what is missing or cannot be.
[[nodiscard]] WordPieceTokenizer read_tokenizer(const std::string& path);
[[nodiscard]] WordPieceTokenizer parse_tokenizer(std::string_view text, const std::string& name);

}  // namespace caos::text
