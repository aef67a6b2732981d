#include "caos/text/encoders/tokenizer_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/json_reader.hpp"

namespace caos::text {
namespace {

using Json = nlohmann::json;

constexpr TokenId most_tokens_of_a_vocabulary = 10'000'000;
constexpr std::size_t longest_word = 10'000;

constexpr const char* other_encoders =
    "caos reads WordPiece tokenizers, as MiniLM, BGE, E5 and GTE have; serve another encoder and "
    "use embed-server:URL, or compute its embeddings and use 'caos classify'";

/// One file that is being read: says what is wrong with it.
class TokenizerReader {
 public:
  TokenizerReader(std::string_view text, const std::string& name)
      : name_(name), root_(parse_large_json(text, name)) {
    if (!root_.is_object()) refuse("not a JSON object, as a tokenizer.json is");
  }

  [[nodiscard]] WordPieceTokenizer read() const {
    const Json& model = part(root_, "model");
    refuse_other(model, "model", {"WordPiece"});
    refuse_other(part(root_, "pre_tokenizer"), "pre_tokenizer", {"BertPreTokenizer"});
    WordPieceTokenizer result{.normalization = read_normalization(part(root_, "normalizer")),
                              .pieces = read_pieces(model)};
    result.added = read_added();
    read_template(part(root_, "post_processor"), result);
    result.most_tokens = read_truncation();
    if (result.most_tokens && *result.most_tokens <= result.before.size() + result.after.size()) {
      refuse("'truncation' leaves no token of a text");
    }
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::bad_format, fmt::format("{}: {}", name_, what));
  }

  // Values of JSON.

  [[nodiscard]] static const Json& value_of(const Json& object, const char* key) {
    static const Json nothing;
    if (!object.is_object()) return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
  }

  [[nodiscard]] const Json& part(const Json& object, const char* key) const {
    const Json& value = value_of(object, key);
    if (!value.is_object()) refuse(fmt::format("has no '{}'; {}", key, other_encoders));
    return value;
  }

  [[nodiscard]] std::string text(const Json& object, const char* key) const {
    const Json& value = value_of(object, key);
    if (!value.is_string()) refuse(fmt::format("'{}' is not a text", key));
    return value.get<std::string>();
  }

  [[nodiscard]] bool is_true(const Json& object, const char* key, bool by_default) const {
    const Json& value = value_of(object, key);
    if (value.is_null()) return by_default;
    if (!value.is_boolean()) refuse(fmt::format("'{}' is neither true nor false", key));
    return value.get<bool>();
  }

  [[nodiscard]] std::size_t count(const Json& object, const char* key, std::size_t most) const {
    const Json& value = value_of(object, key);
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                      value.get<std::uint64_t>() <= most;
    if (!fits) refuse(fmt::format("'{}' is not a whole number from 1 to {}", key, most));
    return value.get<std::size_t>();
  }

  [[nodiscard]] TokenId token_id(const Json& value, const char* what) const {
    const bool fits = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() < std::uint64_t{most_tokens_of_a_vocabulary};
    if (!fits) refuse(fmt::format("{} has an id that is not a whole number below 10^7", what));
    return value.get<TokenId>();
  }

  void refuse_other(const Json& object, const char* key,
                    const std::vector<std::string>& known) const {
    const Json& type = value_of(object, "type");
    const std::string found = type.is_string() ? type.get<std::string>() : "unknown";
    if (std::ranges::find(known, found) != known.end()) return;
    refuse(fmt::format("its {} is of type {}; {}", key, io::printable(found), other_encoders));
  }

  // Parts.

  [[nodiscard]] BertNormalization read_normalization(const Json& json) const {
    refuse_other(json, "normalizer", {"BertNormalizer"});
    const bool lowercase = is_true(json, "lowercase", true);
    return {.clean_text = is_true(json, "clean_text", true),
            .separate_cjk = is_true(json, "handle_chinese_chars", true),
            .strip_accents = is_true(json, "strip_accents", lowercase),
            .lowercase = lowercase};
  }

  [[nodiscard]] WordPieces read_pieces(const Json& model) const {
    WordPieces pieces{.continuing_prefix = text(model, "continuing_subword_prefix"),
                      .most_characters = count(model, "max_input_chars_per_word", longest_word)};
    std::set<TokenId> ids;
    for (const auto& [piece, id] : part(model, "vocab").items()) {
      const TokenId number = token_id(id, "a word of 'vocab'");
      if (!ids.insert(number).second)
        refuse(fmt::format("two words of 'vocab' have id {}", number));
      pieces.vocabulary.emplace(piece, number);
    }
    pieces.unknown = id_of(pieces, text(model, "unk_token"));
    return pieces;
  }

  [[nodiscard]] TokenId id_of(const WordPieces& pieces, const std::string& token) const {
    const auto found = pieces.vocabulary.find(token);
    if (found == pieces.vocabulary.end()) {
      refuse(fmt::format("its vocabulary has no token {}", in_quotes(token)));
    }
    return found->second;
  }

  [[nodiscard]] std::vector<AddedToken> read_added() const {
    const Json& list = value_of(root_, "added_tokens");
    if (!list.is_null() && !list.is_array()) refuse("'added_tokens' is not a list");
    std::vector<AddedToken> added;
    for (const Json& json : list) {
      AddedToken token{.content = text(json, "content"),
                       .id = token_id(value_of(json, "id"), "an added token"),
                       .takes_blanks_before = is_true(json, "lstrip", false),
                       .takes_blanks_after = is_true(json, "rstrip", false)};
      if (token.content.empty()) refuse("an added token is empty");
      if (is_true(json, "normalized", true) || is_true(json, "single_word", false)) {
        refuse(
            fmt::format("its added token {} is looked for in normalized texts or as a whole "
                        "word, which caos does not do; {}",
                        in_quotes(token.content), other_encoders));
      }
      added.push_back(std::move(token));
    }
    return added;
  }

  void read_template(const Json& json, WordPieceTokenizer& tokenizer) const {
    refuse_other(json, "post_processor", {"TemplateProcessing", "BertProcessing"});
    if (value_of(json, "type") == "BertProcessing") {
      tokenizer.before = {pair_id(json, "cls")};
      tokenizer.after = {pair_id(json, "sep")};
      return;
    }
    const Json& single = value_of(json, "single");
    if (!single.is_array()) refuse("'single' of its post_processor is not a list");
    bool seen = false;
    for (const Json& step : single) {
      if (value_of(step, "Sequence").is_object()) {
        if (seen) refuse("'single' of its post_processor has two texts");
        require_type_zero(value_of(step, "Sequence"));
        seen = true;
        continue;
      }
      const Json& special = part(step, "SpecialToken");
      require_type_zero(special);
      std::vector<TokenId>& ids = seen ? tokenizer.after : tokenizer.before;
      for (const TokenId id : ids_of_special(json, text(special, "id"))) ids.push_back(id);
    }
    if (!seen) refuse("'single' of its post_processor has no text");
  }

  void require_type_zero(const Json& step) const {
    if (value_of(step, "type_id") != 0) {
      refuse("'single' of its post_processor has a type_id other than 0");
    }
  }

  /// ["[CLS]", 101]
  [[nodiscard]] TokenId pair_id(const Json& json, const char* key) const {
    const Json& pair = value_of(json, key);
    if (!pair.is_array() || pair.size() != 2) {
      refuse(fmt::format("'{}' of its post_processor is not a token with its id", key));
    }
    return token_id(pair[1], key);
  }

  [[nodiscard]] std::vector<TokenId> ids_of_special(const Json& json,
                                                    const std::string& token) const {
    const Json& special = value_of(value_of(json, "special_tokens"), token.c_str());
    const Json& list = value_of(special, "ids");
    if (!list.is_array() || list.empty() || list.size() > 16) {
      refuse(fmt::format("its post_processor gives {} no ids", in_quotes(token)));
    }
    std::vector<TokenId> ids;
    for (const Json& id : list) ids.push_back(token_id(id, "a special token"));
    return ids;
  }

  [[nodiscard]] std::optional<std::size_t> read_truncation() const {
    const Json& json = value_of(root_, "truncation");
    if (json.is_null()) return std::nullopt;
    const Json& direction = value_of(json, "direction");
    if (!direction.is_null() && direction != "Right") {
      refuse("it truncates texts at their beginning, which caos does not do");
    }
    return count(json, "max_length", std::size_t{1} << 20U);
  }

  const std::string& name_;
  Json root_;
};

}  // namespace

WordPieceTokenizer parse_tokenizer(std::string_view text, const std::string& name) {
  return TokenizerReader(text, name).read();
}

WordPieceTokenizer read_tokenizer(const std::string& path) {
  return parse_tokenizer(io::MappedFile::read(path).text(), path);
}

}  // namespace caos::text
