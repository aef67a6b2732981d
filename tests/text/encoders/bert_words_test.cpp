#include "caos/text/encoders/bert_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/io/utf8.hpp"

namespace {

using caos::text::bert_words;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(BertWords, ArePartedByBlanksOfEveryKind) {
  // A tab, a line feed, a no-break space, an ideographic space, a line separator.
  EXPECT_THAT(bert_words(" one\ttwo\nthree\u00a0four\u3000five\u2028six ", {}),
              ElementsAre("one", "two", "three", "four", "five", "six"));
}

TEST(BertWords, PunctuationMarksAreWords) {
  EXPECT_THAT(
      bert_words("don't stop... (a+b)=$5", {}),
      ElementsAre("don", "'", "t", "stop", ".", ".", ".", "(", "a", "+", "b", ")", "=", "$", "5"));
  // A Spanish question mark, a German quotation mark and a dash are punctuation; the euro is not.
  EXPECT_THAT(bert_words("¿qué? „ja“—5€", {}),
              ElementsAre("¿", "que", "?", "„", "ja", "“", "—", "5€"));
}

TEST(BertWords, LoseAccentsAndCase) {
  EXPECT_THAT(bert_words("Été ÑANDÚ Ångström Ω ΣΟΦΟΣ", {}),
              ElementsAre("ete", "nandu", "angstrom", "ω", "σοφοσ"));
  // Letters that are no letter with a mark stay.
  EXPECT_THAT(bert_words("Straße Øre", {}), ElementsAre("straße", "øre"));
}

TEST(BertWords, KeepAccentsOrCaseIfTheFileSaysSo) {
  EXPECT_THAT(bert_words("Été İ", {.strip_accents = false}), ElementsAre("été", "i\u0307"));
  EXPECT_THAT(bert_words("Été", {.lowercase = false}), ElementsAre("Ete"));
}

TEST(BertWords, EveryChineseCharacterIsOne) {
  EXPECT_THAT(bert_words("ab中文cd", {}), ElementsAre("ab", "中", "文", "cd"));
  EXPECT_THAT(bert_words("𠀀豈", {}), ElementsAre("𠀀", "豈"));  // beyond 16 bits; compatibility
  // Japanese syllables and Korean ones are not; the latter fall into their letters.
  EXPECT_THAT(bert_words("カタ", {}), ElementsAre("カタ"));
  EXPECT_THAT(bert_words("한", {}), ElementsAre("\u1112\u1161\u11ab"));
  EXPECT_THAT(bert_words("中文", {.separate_cjk = false}), ElementsAre("中文"));
}

TEST(BertWords, ControlCharactersGo) {
  // A bell, a zero-width space, a soft hyphen, a replacement character, a private one.
  EXPECT_THAT(bert_words("a\x07"
                         "b\u200bc\u00add\ufffde\ue000f",
                         {}),
              ElementsAre("abcdef"));
  EXPECT_THAT(bert_words(std::string("a\0b", 3), {}), ElementsAre("ab"));
  EXPECT_THAT(bert_words("a\x07z", {.clean_text = false}), ElementsAre("a\x07z"));
}

TEST(BertWords, OfNothingAreNone) {
  EXPECT_THAT(bert_words("", {}), IsEmpty());
  EXPECT_THAT(bert_words(" \n\u200b", {}), IsEmpty());
}

TEST(BertWords, BlanksAroundATextGo) {
  EXPECT_EQ(caos::text::without_blanks_at_end("a b\u3000 \t"), "a b");
  EXPECT_EQ(caos::text::without_blanks_at_start(" \u3000é b "), "é b ");
  EXPECT_EQ(caos::text::without_blanks_at_end("\u3000"), "");
  EXPECT_EQ(caos::text::without_blanks_at_start("\u3000"), "");
}

RC_GTEST_PROP(BertWords, AreUtf8WithoutBlanksAndStayAsTheyAre, (const std::vector<char32_t>& raw)) {
  std::string text;
  for (const char32_t c : raw) {
    // Characters of one to three bytes.
    const auto u = static_cast<std::uint32_t>(c) % 0x3000;
    if (u < 0x80) {
      text += static_cast<char>(u);
    } else if (u < 0x800) {
      text += static_cast<char>(0xc0 | (u >> 6));
      text += static_cast<char>(0x80 | (u & 0x3f));
    } else {
      text += static_cast<char>(0xe0 | (u >> 12));
      text += static_cast<char>(0x80 | ((u >> 6) & 0x3f));
      text += static_cast<char>(0x80 | (u & 0x3f));
    }
  }
  for (const std::string& word : bert_words(text, {})) {
    RC_ASSERT(!word.empty());
    RC_ASSERT(caos::text::is_utf8(word));
    const std::vector<std::string> again = bert_words(word, {});
    RC_ASSERT(again.size() <= 1);
  }
}

}  // namespace
