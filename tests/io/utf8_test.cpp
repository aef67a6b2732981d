#include "caos/io/utf8.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace caos::text {
namespace {

/// One code point by the definition.
std::string encoded(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) {
    return {byte(0xE0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3F)),
            byte(0x80 | (code & 0x3F))};
  }
  return {byte(0xF0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3F)),
          byte(0x80 | ((code >> 6) & 0x3F)), byte(0x80 | (code & 0x3F))};
}

TEST(Utf8, HoldsEveryCodePointButSurrogates) {
  for (unsigned code = 0; code < 0x110000; ++code) {
    ASSERT_EQ(is_utf8(encoded(code)), code < 0xD800 || code > 0xDFFF) << code;
  }
}

TEST(Utf8, EndsAtTheLastCodePoint) {
  for (const unsigned code : {0x110000U, 0x13FFFFU, 0x1FFFFFU})
    EXPECT_FALSE(is_utf8(encoded(code)));
}

TEST(Utf8, HasNoOverlongFormsAndNoStrayBytes) {
  for (const std::string text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\x80", "a\xBF", "\xC3",
        "\xE2\x82", "\xF0\x9F\x98", "\xC3z", "\xFE", "\xFF", "\xE2\x82z"}) {
    EXPECT_FALSE(is_utf8(text));
    EXPECT_FALSE(is_utf8(fmt::format("before{}after", text)));
  }
  EXPECT_TRUE(is_utf8(""));
}

RC_GTEST_PROP(Utf8, CharactersBeginWhereTheyWerePut, ()) {
  std::string text;
  std::vector<std::size_t> starts;
  for (const int choice : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4))) {
    starts.push_back(text.size());
    text += encoded(std::vector{0x61U, 0xE9U, 0x20ACU, 0x1F600U}[static_cast<std::size_t>(choice)]);
  }
  starts.push_back(text.size());
  for (std::size_t position = 0; position <= text.size() + 2; ++position) {
    std::size_t expected = 0;
    for (const std::size_t start : starts) {
      if (start <= position) expected = start;
    }
    RC_ASSERT(character_start(text, position) == expected);
  }
}

TEST(InQuotes, KeepsMessagesOnOneShortLine) {
  EXPECT_EQ(in_quotes("caf\xc3\xa9"), "'caf\xc3\xa9'");
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a b '");
  const std::string sixty(60, 'x');
  EXPECT_EQ(in_quotes(sixty), fmt::format("'{}'", sixty));
  // The euro sign lies across the place of the cut.
  const std::string before(59, 'x');
  EXPECT_EQ(in_quotes(before + "\xe2\x82\xac"), fmt::format("'{}...'", before));
}

TEST(InQuotes, PartsSeveralByCommas) {
  EXPECT_EQ(in_quotes(std::vector<std::string>{}), "");
  EXPECT_EQ(in_quotes(std::vector<std::string>{"a", "b"}), "'a', 'b'");
  EXPECT_TRUE(in_quotes(std::vector<std::string>(21, "a")).ends_with("'a', ..."));
}

}  // namespace
}  // namespace caos::text
