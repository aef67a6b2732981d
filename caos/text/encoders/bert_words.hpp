#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caos::text {

/// How BERT's tokenizers normalize a text, as a tokenizer.json says.
struct BertNormalization {
  bool clean_text = true;     ///< control characters go, and every blank is a space
  bool separate_cjk = true;   ///< each Chinese character is a word
  bool strip_accents = true;  ///< marks above and below letters go
  bool lowercase = true;
};

/// The words of a text: parted by blanks; a punctuation mark is a word of its own. Requires UTF-8
/// of at most 2^30 bytes.
[[nodiscard]] std::vector<std::string> bert_words(std::string_view text,
                                                  const BertNormalization& how);

/// The text without blanks at its end, or at its start.
[[nodiscard]] std::string_view without_blanks_at_end(std::string_view text);
[[nodiscard]] std::string_view without_blanks_at_start(std::string_view text);

}  // namespace caos::text
