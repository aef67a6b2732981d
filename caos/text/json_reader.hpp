#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

// Shared by the readers of this module; not for users of the library.
namespace caos::text {

/// Keys stay in the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

/// Reads one JSON value. Throws `bad_format` with file and line if it is invalid or nested too
/// deeply; the text begins in `first_line`.
[[nodiscard]] OrderedJson parse_json(std::string_view text, const std::string& name,
                                     std::size_t first_line = 1);

/// The same of a value with many keys, which `OrderedJson` would compare with each other; keys come
/// in the order of their bytes.
[[nodiscard]] nlohmann::json parse_large_json(std::string_view text, const std::string& name);

/// The untrusted answer of a server or a program. Null if it is not JSON or is nested too deeply:
/// reading or destroying such a value recurses into it, and would run out of stack.
[[nodiscard]] nlohmann::json parse_answer(std::string_view text);

/// A text itself, a number as JSON writes it; nothing for other values.
[[nodiscard]] std::optional<std::string> scalar_text(const OrderedJson& value);

/// Throws an Error bad_format that says what is wrong in which line of the file called `name`.
[[noreturn]] void refuse_line(const std::string& name, std::size_t line, const std::string& what);

}  // namespace caos::text
