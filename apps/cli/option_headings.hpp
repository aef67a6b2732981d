#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caos::cli {

inline constexpr const char* other_options = "Options";
inline constexpr const char* general_options = "General";

/// The heading of an option in the help, unless it has one of its own.
[[nodiscard]] std::string heading_of(std::string_view option);

/// The place of a heading among those of a command.
[[nodiscard]] std::size_t heading_place(std::string_view heading);

/// Whether -h shows the option, too.
[[nodiscard]] bool is_basic(std::string_view option);

}  // namespace caos::cli
