#include "tests/text/models/llama/tiny_vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>

#include "caos/io/utf8.hpp"

namespace caos::test {
namespace {

constexpr std::string_view space = "\u2581";
constexpr Token first_byte = 3;

// Pieces that come before all others, so that they break up the words around a boundary.
constexpr std::array boundary_pieces = {"▁z", ":▁z", "l:▁z", "▁a", ":▁a", "▁▁", "e▁"};

// Every beginning of these is a piece: a word then grows letter by letter.
constexpr std::array words = {
    "▁This",        "▁is",    "▁text",    "▁classification", "▁task",    "▁You",     "▁will",
    "▁get",         "▁one",   "▁example", "▁then",           "▁predict", "▁the",     "▁most",
    "▁appropriate", "▁label", "Return",   "▁only",           "Example",  "Text",     "Label",
    "▁yes",         "▁no",    "▁not",     "▁card",           "▁cards",   "▁payment", "▁pay",
    "▁money",       "▁bank",  "▁lost",    "▁late",           "ing",      "tion"};

constexpr std::array accented = {"é", "ü", "ß", "ñ", "·", "中", "е"};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ') {
      result += space;
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0, end = 1; begin < text.size(); begin = end++) {
    while (end < text.size() && text::character_start(text, end) != end) ++end;
    result.emplace_back(text.substr(begin, end - begin));
  }
  return result;
}

/// Pieces in the order in which they are added, each once.
class Vocabulary {
 public:
  Vocabulary() {
    add_special();
    for (const std::string_view piece : boundary_pieces) add(piece);
    for (const std::string_view word : words) add_beginnings(word);
    add(space);
    for (char c = '!'; c <= '~'; ++c) add(std::string(1, c));
    for (const std::string_view letter : accented) add(letter);
  }

  std::vector<Piece> pieces;
  std::map<std::string, Token> normal;  ///< where each normal piece stands

 private:
  void add_special() {
    pieces = {{"<unk>", 0, PieceKind::unknown},
              {"<s>", 0, PieceKind::control},
              {"</s>", 0, PieceKind::control}};
    for (int byte = 0; byte < 256; ++byte) {
      pieces.push_back({fmt::format("<0x{:02X}>", byte), 0, PieceKind::byte});
    }
  }

  void add(std::string_view piece) {
    const auto token = static_cast<Token>(pieces.size());
    if (!normal.emplace(piece, token).second) return;
    pieces.push_back({std::string(piece), -static_cast<float>(normal.size()), PieceKind::normal});
  }

  void add_beginnings(std::string_view word) {
    std::string beginning;
    for (const std::string& character : characters(word)) {
      beginning += character;
      add(beginning);
    }
  }
};

const Vocabulary& vocabulary() {
  static const Vocabulary only;
  return only;
}

std::optional<Token> find(const std::string& text) {
  const auto found = vocabulary().normal.find(text);
  if (found == vocabulary().normal.end()) return std::nullopt;
  return found->second;
}

/// Which symbol is to be merged with the next; the number of symbols if none is.
std::size_t best_merge(const std::vector<std::string>& symbols) {
  std::size_t best = symbols.size();
  float best_score = 0;
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    const std::optional<Token> token = find(symbols[i] + symbols[i + 1]);
    if (!token) continue;
    const float score = vocabulary().pieces[static_cast<std::size_t>(*token)].score;
    if (best == symbols.size() || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

}  // namespace

const std::vector<Piece>& tiny_vocabulary() { return vocabulary().pieces; }

std::vector<Token> reference_tokens(std::string_view text) {
  if (text.empty()) return {};
  std::vector<std::string> symbols = characters(escaped(fmt::format(" {}", text)));
  for (std::size_t i = best_merge(symbols); i < symbols.size(); i = best_merge(symbols)) {
    symbols[i] += symbols[i + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  std::vector<Token> tokens;
  for (const std::string& symbol : symbols) {
    if (const std::optional<Token> token = find(symbol)) {
      tokens.push_back(*token);
      continue;
    }
    for (const char c : symbol) tokens.push_back(first_byte + static_cast<unsigned char>(c));
  }
  return tokens;
}

std::string reference_text(std::span<const Token> tokens) {
  std::string text;
  for (const Token token : tokens) {
    const Piece& piece = vocabulary().pieces.at(static_cast<std::size_t>(token));
    if (piece.kind == PieceKind::byte) text += static_cast<char>(token - first_byte);
    if (piece.kind == PieceKind::normal) text += piece.text;
  }
  std::string result;
  for (const std::string& character : characters(text)) {
    result += character == space ? std::string_view(" ") : character;
  }
  return result;
}

}  // namespace caos::test
