#pragma once

#include <string>

#include "apps/cli/command.hpp"

namespace caos::cli {

/// Thrown where no command, or a group of commands alone, is given.
struct MissingCommand {
  std::string help;  ///< what commands there are
};

/// Reads the command line, sets the options that it gives and runs the command that it names.
/// Returns the text of -h, --help or --version if one of them is given; nothing runs then, and it
/// is empty otherwise. Throws `MissingCommand`, `not_found` for an input that does not exist, and
/// `invalid_input` for a command line that does not fit the program.
[[nodiscard]] std::string run_command_line(const Command& program, int argc, char** argv);

}  // namespace caos::cli
