#pragma once

#include <string>
#include <string_view>

// For the errors of this module; not for users of the library.
namespace caos::io {

/// The text with whatever is not printable ASCII as '?', cut to a length that fits into an error.
[[nodiscard]] std::string printable(std::string_view text);

/// The same of a path, of which the end is kept: it names the file.
[[nodiscard]] std::string printable_path(std::string_view path);

}  // namespace caos::io
