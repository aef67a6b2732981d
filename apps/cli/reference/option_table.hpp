#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.hpp"

namespace caos::cli {

/// What a shell may complete the value of an option to.
enum class ValueKind { none, text, file, folder };

/// One option or positional of a command, as --help shows it.
struct OptionEntry {
  std::vector<std::string> names;  ///< `--alpha`; `-h` and `--help`; a positional's name alone
  std::string value_name;          ///< `FILE`; empty where none is shown
  std::string default_value;       ///< empty where there is none
  std::string description;
  std::string group;                 ///< its heading in --help; empty under the common one
  ValueKind kind = ValueKind::none;  ///< none: a flag
  bool required = false;
  bool positional = false;
  bool list = false;                  ///< several values in one word, separated by commas
  std::vector<std::string> choices;   ///< words worth offering; others may be allowed
  std::vector<std::string> excludes;  ///< names of options that it cannot go with

  /// The longest of its names.
  [[nodiscard]] const std::string& name() const { return names.back(); }
};

/// A command, or the program itself, with the commands below it.
struct CommandEntry {
  std::string name;  ///< as it is typed: `caos landmarks predict`
  std::string description;
  std::string notes;         ///< what --help says below the options, before the example
  std::string example_head;  ///< `Example:`, or what comes before
  std::string example;       ///< commands that work when pasted
  std::vector<OptionEntry> options;
  std::vector<CommandEntry> commands;
};

/// Everything that --help shows, in its order, as plain values: the one source of manual pages,
/// completions and reference pages.
[[nodiscard]] CommandEntry read_option_table(const Command& app);

/// The commands without commands below them, in order: those that do something.
[[nodiscard]] std::vector<const CommandEntry*> leaf_commands(const CommandEntry& program);

/// All commands, the program first, each before those below it.
[[nodiscard]] std::vector<const CommandEntry*> all_commands(const CommandEntry& program);

/// `--out FILE`; `[--alpha A]` where it may be left out.
[[nodiscard]] std::string usage_of(const OptionEntry& option);

/// A variable, file or exit code of the program, and what it means.
struct Fact {
  std::string name;
  std::string meaning;
};

/// What no option says.
[[nodiscard]] const std::vector<Fact>& exit_codes();
[[nodiscard]] const std::vector<Fact>& environment_variables();
[[nodiscard]] const std::vector<Fact>& user_files();

}  // namespace caos::cli
