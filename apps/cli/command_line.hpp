#pragma once

#include <string>

#include "apps/cli/command.hpp"

namespace caos::cli {

/// Reads the command line, sets the options that it gives and runs the command that it names.
/// Returns the text of --help or --version if that is asked for; nothing runs then, and it is empty
/// otherwise. Throws `invalid_input` for a command line that does not fit the program.
[[nodiscard]] std::string run_command_line(const Command& program, int argc, char** argv);

}  // namespace caos::cli
