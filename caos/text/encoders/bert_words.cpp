#include "caos/text/encoders/bert_words.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::text {
namespace {

using icu::UnicodeString;

constexpr std::size_t longest_text = std::size_t{1} << 30U;
constexpr UChar32 replacement = 0xfffd;
constexpr UChar32 dotted_i = 0x130;  // the one letter whose lower case is two characters
constexpr UChar32 dot_above = 0x307;

bool is_control(UChar32 c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  return (U_GET_GC_MASK(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0;
}

bool is_blank(UChar32 c) { return u_isUWhiteSpace(c) != 0; }

bool is_punctuation(UChar32 c) {
  const bool ascii = (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
                     (c >= '{' && c <= '~');
  return ascii || (U_GET_GC_MASK(c) & U_GC_P_MASK) != 0;
}

/// The ranges that the tokenizers of published models use; the gap before 0x2b920 is theirs.
bool is_chinese(UChar32 c) {
  struct Range {
    UChar32 first;
    UChar32 last;
  };
  constexpr std::array ranges = {Range{0x4e00, 0x9fff},   Range{0x3400, 0x4dbf},
                                 Range{0x20000, 0x2a6df}, Range{0x2a700, 0x2b73f},
                                 Range{0x2b740, 0x2b81f}, Range{0x2b920, 0x2ceaf},
                                 Range{0xf900, 0xfaff},   Range{0x2f800, 0x2fa1f}};
  return std::ranges::any_of(
      ranges, [c](const Range& range) { return range.first <= c && c <= range.last; });
}

template <typename Use>
void for_each_character(const UnicodeString& text, const Use& use) {
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) use(text.char32At(i));
}

UnicodeString cleaned(const UnicodeString& text) {
  UnicodeString result;
  for_each_character(text, [&](UChar32 c) {
    if (c == 0 || c == replacement || is_control(c)) return;
    result.append(is_blank(c) ? UChar32{' '} : c);
  });
  return result;
}

UnicodeString with_separate_cjk(const UnicodeString& text) {
  UnicodeString result;
  for_each_character(text, [&](UChar32 c) {
    if (is_chinese(c)) {
      result.append(UChar32{' '}).append(c).append(UChar32{' '});
    } else {
      result.append(c);
    }
  });
  return result;
}

UnicodeString without_accents(const UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const nfd = icu::Normalizer2::getNFDInstance(status);
  const UnicodeString apart = U_SUCCESS(status) ? nfd->normalize(text, status) : text;
  require(U_SUCCESS(status), ErrorKind::backend,
          [&] { return std::string("ICU cannot decompose a text: ") + u_errorName(status); });
  UnicodeString result;
  for_each_character(apart, [&](UChar32 c) {
    if (u_charType(c) != U_NON_SPACING_MARK) result.append(c);
  });
  return result;
}

/// Character by character: what a letter becomes does not depend on its neighbors.
UnicodeString in_lowercase(const UnicodeString& text) {
  UnicodeString result;
  for_each_character(text, [&](UChar32 c) {
    if (c == dotted_i) {
      result.append(UChar32{'i'}).append(dot_above);
    } else {
      result.append(u_tolower(c));
    }
  });
  return result;
}

UnicodeString normalized(UnicodeString text, const BertNormalization& how) {
  if (how.clean_text) text = cleaned(text);
  if (how.separate_cjk) text = with_separate_cjk(text);
  if (how.strip_accents) text = without_accents(text);
  return how.lowercase ? in_lowercase(text) : text;
}

UnicodeString from_utf8(std::string_view text) {
  return UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

}  // namespace

std::vector<std::string> bert_words(std::string_view text, const BertNormalization& how) {
  require(text.size() <= longest_text, ErrorKind::invalid_input, "a text has more than 1 GiB");
  const UnicodeString whole = normalized(from_utf8(text), how);
  std::vector<std::string> words;
  UnicodeString word;
  const auto end_word = [&] {
    if (!word.isEmpty()) word.toUTF8String(words.emplace_back());
    word.remove();
  };
  for_each_character(whole, [&](UChar32 c) {
    if (is_blank(c)) return end_word();
    if (!is_punctuation(c)) return static_cast<void>(word.append(c));
    end_word();
    word.append(c);
    end_word();
  });
  end_word();
  return words;
}

std::string_view without_blanks_at_end(std::string_view text) {
  while (!text.empty()) {
    const std::size_t last = character_start(text, text.size() - 1);
    if (!is_blank(from_utf8(text.substr(last)).char32At(0))) break;
    text = text.substr(0, last);
  }
  return text;
}

std::string_view without_blanks_at_start(std::string_view text) {
  while (!text.empty()) {
    std::size_t next = 1;
    while (next < text.size() && character_start(text, next) != next) ++next;
    if (!is_blank(from_utf8(text.substr(0, next)).char32At(0))) break;
    text.remove_prefix(next);
  }
  return text;
}

}  // namespace caos::text
