#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caos::cli {

/// The name that was probably meant: the one with the fewest typing errors (a character too many,
/// missing, wrong, or two exchanged), at most one for every three characters; empty if there is
/// none. Of several the first.
[[nodiscard]] std::string nearest_name(std::string_view typed,
                                       const std::vector<std::string>& names);

}  // namespace caos::cli
