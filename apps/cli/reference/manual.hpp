#pragma once

#include <map>
#include <string>

#include "apps/cli/command.hpp"

namespace caos::cli {

/// The manual page of a command, or of the program, for man(1). It has no date, so that the same
/// program gives the same page on every day.
[[nodiscard]] std::string manual_page(const Command& command);

/// The pages of the program and of all commands, by file name.
[[nodiscard]] std::map<std::string, std::string> manual_pages(const Command& program);

}  // namespace caos::cli
