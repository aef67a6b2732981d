#include "caos/text/encoders/word_piece_tokenizer.hpp"

#include <algorithm>

namespace caos::text {
namespace {

/// Where an added token stands in a text.
struct Occurrence {
  std::size_t position = std::string_view::npos;
  const AddedToken* token = nullptr;
};

/// The first one; of several that begin there, the longest.
Occurrence first_of(const std::vector<AddedToken>& added, std::string_view text) {
  Occurrence first;
  for (const AddedToken& token : added) {
    const std::size_t position = text.find(token.content);
    if (position == std::string_view::npos) continue;
    const bool longer =
        position == first.position && token.content.size() > first.token->content.size();
    if (first.token == nullptr || position < first.position || longer) first = {position, &token};
  }
  return first;
}

void append(std::vector<TokenId>& ids, const std::vector<TokenId>& more) {
  ids.insert(ids.end(), more.begin(), more.end());
}

}  // namespace

TokenizedText WordPieceTokenizer::tokenize(std::string_view text, std::size_t most) const {
  std::vector<TokenId> ids;
  const auto append_words = [&](std::string_view part) {
    for (const std::string& word : bert_words(part, normalization)) {
      append(ids, pieces.tokens_of(word));
    }
  };
  for (;;) {
    const Occurrence next = first_of(added, text);
    if (next.token == nullptr) break;
    const std::string_view part = text.substr(0, next.position);
    append_words(next.token->takes_blanks_before ? without_blanks_at_end(part) : part);
    ids.push_back(next.token->id);
    text.remove_prefix(next.position + next.token->content.size());
    if (next.token->takes_blanks_after) text = without_blanks_at_start(text);
  }
  append_words(text);

  const std::size_t around = before.size() + after.size();
  const std::size_t kept = std::min(ids.size(), most - std::min(most, around));
  TokenizedText result{.ids = before, .truncated = kept < ids.size()};
  ids.resize(kept);
  append(result.ids, ids);
  append(result.ids, after);
  return result;
}

}  // namespace caos::text
