#pragma once

#include <string>
#include <string_view>

namespace caos::studio {

/// A name for a file about a project: letters, digits, `-` and `_` of ASCII from the project's
/// name, others as `-`, so that it suits every file system and header, and then the suffix.
[[nodiscard]] std::string download_name(std::string_view project, std::string_view suffix);

}  // namespace caos::studio
