#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace caos::text {

/// Whether all bytes are well-formed UTF-8 (no overlong forms, surrogates or values past U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text);

/// The largest position <= `position` that does not lie within a character of UTF-8.
[[nodiscard]] std::size_t character_start(std::string_view text, std::size_t position);

/// A text for a message: in quotes, on one line, and cut where it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Several of them, parted by commas; of many, the first ones.
[[nodiscard]] std::string in_quotes(std::span<const std::string> texts);

}  // namespace caos::text
