#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The member of an object, or null where there is none.
[[nodiscard]] const Json& member(const Json& object, const char* key);

/// The number, or nothing for null and for what is no number.
[[nodiscard]] std::optional<double> number(const Json& value);

/// A string as it is, a number with every digit that it needs, nothing for null.
[[nodiscard]] std::string plain_text(const Json& value);

/// The texts that the rows have under a key, each once, in the order in which they appear.
[[nodiscard]] std::vector<std::string> distinct(const Json& rows, const char* key);

/// The keys of the objects that the rows have under a key, each once, in the order of appearance.
[[nodiscard]] std::vector<std::string> distinct_keys(const Json& rows, const char* key);

}  // namespace caos::cli
