#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caos/text/encoders/bert_words.hpp"
#include "caos/text/encoders/word_pieces.hpp"

namespace caos::text {

/// A token that stands in a text as it is written, such as [SEP].
struct AddedToken {
  std::string content{};
  TokenId id = 0;
  bool takes_blanks_before = false;
  bool takes_blanks_after = false;
};

struct TokenizedText {
  std::vector<TokenId> ids{};
  bool truncated = false;
};

/// The tokenizers of BERT and of the sentence encoders made from it (MiniLM, BGE, E5, GTE).
struct WordPieceTokenizer {
  BertNormalization normalization{};
  WordPieces pieces{};
  std::vector<AddedToken> added{};
  std::vector<TokenId> before{};             ///< what every text begins with: [CLS]
  std::vector<TokenId> after{};              ///< what it ends with: [SEP]
  std::optional<std::size_t> most_tokens{};  ///< what the file truncates to, `before` and `after`
                                             ///< included

  /// The tokens of a text. One with more than `most` keeps its first ones, `before` and `after`.
  [[nodiscard]] TokenizedText tokenize(std::string_view text, std::size_t most) const;
};

}  // namespace caos::text
