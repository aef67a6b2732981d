#include "caos/text/encoders/word_piece_tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/text/encoders/tokenizer_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/encoders/tiny_encoder.hpp"

namespace {

using caos::ErrorKind;
using caos::test::expect_error;
using caos::test::TinyEncoder;
using caos::text::parse_tokenizer;
using caos::text::TokenId;
using caos::text::WordPieceTokenizer;
using nlohmann::json;
using testing::ElementsAre;

//                                         0        1        2        3        4     5       6
const std::vector<std::string> words = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able",
                                        //  7      8    9    10    11     12     13      14
                                        "unaff", ",", "!", "word", "中", "##s", "[MASK]", "é"};

json file() { return TinyEncoder{.vocabulary = words}.tokenizer(); }

WordPieceTokenizer tokenizer(const json& of = file()) {
  return parse_tokenizer(of.dump(), "tokenizer.json");
}

std::vector<TokenId> ids(std::string_view text, std::size_t most = 100) {
  return tokenizer().tokenize(text, most).ids;
}

TEST(WordPieceTokenizer, TakesTheLongestPiecesFromTheLeft) {
  EXPECT_THAT(ids("unaffable"), ElementsAre(2, 7, 6, 3));
  EXPECT_THAT(ids("Words, words!"), ElementsAre(2, 10, 12, 8, 10, 12, 9, 3));
}

TEST(WordPieceTokenizer, AWordThatCannotBeCutIsUnknownAsAWhole) {
  EXPECT_THAT(ids("unaffx word"), ElementsAre(2, 1, 10, 3));
  EXPECT_THAT(ids("xun"), ElementsAre(2, 1, 3));
  // A piece that continues a word does not begin one.
  EXPECT_THAT(ids("able"), ElementsAre(2, 1, 3));
}

TEST(WordPieceTokenizer, AWordOfMoreThan100CharactersIsUnknown) {
  const std::string longest = "word" + std::string(96, 's');
  EXPECT_EQ(ids(longest).size(), 2U + 1 + 96);
  EXPECT_THAT(ids(longest + "s"), ElementsAre(2, 1, 3));
  // Characters are counted, not bytes.
  json accents = file();
  accents["normalizer"]["strip_accents"] = false;
  std::string hundred;
  for (int i = 0; i < 100; ++i) hundred += "é";
  accents["model"]["vocab"]["##é"] = 15;
  EXPECT_EQ(tokenizer(accents).tokenize(hundred, 1000).ids.size(), 102U);
}

TEST(WordPieceTokenizer, AccentsChineseAndNothing) {
  EXPECT_THAT(ids("ÚN"), ElementsAre(2, 4, 3));
  EXPECT_THAT(ids("word中word"), ElementsAre(2, 10, 11, 10, 3));
  EXPECT_THAT(ids(""), ElementsAre(2, 3));
  EXPECT_THAT(ids(" \t\u200b "), ElementsAre(2, 3));
  EXPECT_THAT(ids("wo\u00adrd"), ElementsAre(2, 10, 3));  // a soft hyphen
}

TEST(WordPieceTokenizer, SpecialTokensStandAsTheyAreWritten) {
  EXPECT_THAT(ids("word[SEP]word"), ElementsAre(2, 10, 3, 10, 3));
  EXPECT_THAT(ids("[CLS]"), ElementsAre(2, 2, 3));
  // In small letters they are words like others.
  EXPECT_THAT(ids("[sep]"), ElementsAre(2, 1, 1, 1, 3));
}

TEST(WordPieceTokenizer, ATokenMayTakeTheBlanksAroundIt) {
  json mask = file();
  mask["added_tokens"].push_back({{"id", 13},
                                  {"content", "[MASK]"},
                                  {"normalized", false},
                                  {"lstrip", true},
                                  {"rstrip", true}});
  EXPECT_THAT(tokenizer(mask).tokenize("word [MASK] word", 9).ids, ElementsAre(2, 10, 13, 10, 3));
  // The longest of those that begin at one place.
  mask["added_tokens"].push_back({{"id", 0}, {"content", "[MASK]s"}, {"normalized", false}});
  EXPECT_THAT(tokenizer(mask).tokenize("[MASK]s", 9).ids, ElementsAre(2, 0, 3));
}

TEST(WordPieceTokenizer, LeavesOutTheEndOfALongText) {
  const auto whole = tokenizer().tokenize("word word word", 5);
  EXPECT_THAT(whole.ids, ElementsAre(2, 10, 10, 10, 3));
  EXPECT_FALSE(whole.truncated);
  const auto cut = tokenizer().tokenize("word word words", 5);
  EXPECT_THAT(cut.ids, ElementsAre(2, 10, 10, 10, 3));
  EXPECT_TRUE(cut.truncated);
}

TEST(WordPieceTokenizer, ReadsBothKindsOfPostProcessor) {
  json bert = file();
  bert["post_processor"] = {
      {"type", "BertProcessing"}, {"sep", {"[SEP]", 3}}, {"cls", {"[CLS]", 2}}};
  EXPECT_THAT(tokenizer(bert).tokenize("un", 9).ids, ElementsAre(2, 4, 3));
}

TEST(TokenizerFile, SaysWhereItTruncates) {
  EXPECT_EQ(tokenizer().most_tokens, 64U);
  json none = file();
  none["truncation"] = nullptr;
  EXPECT_EQ(tokenizer(none).most_tokens, std::nullopt);
}

TEST(TokenizerFile, OtherKindsAreRefusedWithARemedy) {
  const std::vector<std::pair<const char*, const char*>> parts = {
      {"model", "BPE"},
      {"model", "Unigram"},
      {"normalizer", "Sequence"},
      {"pre_tokenizer", "ByteLevel"},
      {"post_processor", "RobertaProcessing"}};
  for (const auto& [part, type] : parts) {
    json other = file();
    other[part]["type"] = type;
    expect_error([&] { (void)tokenizer(other); }, ErrorKind::bad_format,
                 {std::string("tokenizer.json: its ") + part + " is of type " + type,
                  "caos reads WordPiece tokenizers"});
    other.erase(part);
    expect_error([&] { (void)tokenizer(other); }, ErrorKind::bad_format,
                 {std::string("tokenizer.json: has no '") + part + "'"});
  }
}

/// A change to the file, and what is said of it.
struct Defect {
  const char* pointer;
  json value;
  const char* message;
};

TEST(TokenizerFile, DefectsAreNamed) {
  const std::vector<Defect> defects = {
      {"/model/vocab/un", -1, "a word of 'vocab' has an id"},
      {"/model/vocab/un", 3, "two words of 'vocab' have id 3"},
      {"/model/vocab/un", "4", "a word of 'vocab' has an id"},
      {"/model/vocab/un", 10'000'000, "a word of 'vocab' has an id"},
      {"/model/unk_token", "[NO]", "its vocabulary has no token '[NO]'"},
      {"/model/max_input_chars_per_word", 0, "'max_input_chars_per_word' is not a whole number"},
      {"/model/continuing_subword_prefix", 5, "'continuing_subword_prefix' is not a text"},
      {"/normalizer/lowercase", "yes", "'lowercase' is neither true nor false"},
      {"/added_tokens", 3, "'added_tokens' is not a list"},
      {"/added_tokens/0/content", "", "an added token is empty"},
      {"/added_tokens/0/normalized", true, "is looked for in normalized texts"},
      {"/added_tokens/0/single_word", true, "is looked for in normalized texts"},
      {"/truncation/direction", "Left", "it truncates texts at their beginning"},
      {"/truncation/max_length", 2, "'truncation' leaves no token of a text"},
      {"/truncation/max_length", 0, "'max_length' is not a whole number"},
      {"/post_processor/single/1/Sequence/type_id", 1, "a type_id other than 0"},
      {"/post_processor/single/2", {{"Sequence", {{"id", "B"}, {"type_id", 0}}}}, "two texts"},
      {"/post_processor/special_tokens/[CLS]/ids", json::array(), "gives '[CLS]' no ids"},
      {"/post_processor/single", json::array(), "has no text"},
  };
  for (const Defect& defect : defects) {
    json broken = file();
    broken[json::json_pointer(defect.pointer)] = defect.value;
    expect_error([&] { (void)tokenizer(broken); }, ErrorKind::bad_format,
                 {"tokenizer.json", defect.message});
  }
}

TEST(TokenizerFile, MustBeAnObjectOfJson) {
  expect_error([] { (void)parse_tokenizer("[]", "t.json"); }, ErrorKind::bad_format,
               {"t.json: not a JSON object"});
  expect_error([] { (void)parse_tokenizer("{\n,", "t.json"); }, ErrorKind::bad_format,
               {"t.json:2: not valid JSON here"});
  expect_error([] { (void)parse_tokenizer(std::string(1000, '['), "t.json"); },
               ErrorKind::bad_format, {"nested too deeply"});
}

}  // namespace
