#include "caos/text/encoders/tokenizer_file.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// A tokenizer.json, and a text that it takes apart.
FUZZ_TARGET(tokenizer, input) {
  const std::string_view all = text_of(input);
  const std::size_t end = all.find('\n');
  const text::WordPieceTokenizer tokenizer =
      text::parse_tokenizer(all.substr(0, end), "tokenizer.json");
  const std::string_view rest = end == std::string_view::npos ? "" : all.substr(end + 1);
  const text::TokenizedText tokens = tokenizer.tokenize(rest, 64);
  const std::size_t around = tokenizer.before.size() + tokenizer.after.size();
  demand(tokens.ids.size() <= 64 || tokens.ids.size() == around, "a text is truncated");
  demand(tokens.ids.size() >= around, "special tokens stay");
}

}  // namespace
}  // namespace caos::fuzz
