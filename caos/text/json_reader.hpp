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

/// Reads one JSON value. What is none, or is nested absurdly deeply, is an Error bad_format with
/// file and line; the text begins in `first_line`.
[[nodiscard]] OrderedJson parse_json(std::string_view text, const std::string& name,
                                     std::size_t first_line = 1);

/// The same of a value with many keys, which `OrderedJson` would compare with each other; keys come
/// in the order of their bytes.
[[nodiscard]] nlohmann::json parse_large_json(std::string_view text, const std::string& name);

/// The answer of a server or a program, in whom nobody has reason to trust. Null where it is no
/// JSON, and where it is nested absurdly deeply: who looks at such a value, or drops it, looks into
/// each value within the last, and would run out of stack.
[[nodiscard]] nlohmann::json parse_answer(std::string_view text);

/// A text itself, a number as JSON writes it; nothing for other values.
[[nodiscard]] std::optional<std::string> scalar_text(const OrderedJson& value);

/// Throws an Error bad_format that says what is wrong in which line of the file called `name`.
[[noreturn]] void refuse_line(const std::string& name, std::size_t line, const std::string& what);

}  // namespace caos::text
