#include "caos/io/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace caos::text {
namespace {

bool continues(char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) == 0x80U; }

/// The length of the well-formed character at the start; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), continues)) return 0;
  const auto second = static_cast<std::uint8_t>(text[1]);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_large = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t character_start(std::string_view text, std::size_t position) {
  if (position >= text.size()) return text.size();
  while (position > 0 && continues(text[position])) --position;
  return position;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  const bool cut = text.size() > longest;
  std::string result(text.substr(0, cut ? character_start(text, longest) : text.size()));
  const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
  std::ranges::replace_if(result, is_control, ' ');
  return fmt::format("'{}{}'", result, cut ? "..." : "");
}

std::string in_quotes(std::span<const std::string> texts) {
  constexpr std::size_t most = 20;
  std::string result;
  for (const std::string& text : texts.first(std::min(texts.size(), most))) {
    if (!result.empty()) result += ", ";
    result += in_quotes(text);
  }
  return texts.size() > most ? result + ", ..." : result;
}

}  // namespace caos::text
