#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.hpp"

namespace caos::cli {

/// What -h and a group of commands alone say: the options that most runs need, and an example.
[[nodiscard]] std::string short_help(const Command& command);

/// What --help says: all options, in groups.
[[nodiscard]] std::string full_help(const Command& command);

/// Options below the heading that they have in the help.
struct OptionGroup {
  std::string heading{};
  std::vector<const Option*> options{};
};

/// The options that are not hidden, in the order of the help.
[[nodiscard]] std::vector<OptionGroup> option_groups(const Command& command);

}  // namespace caos::cli
