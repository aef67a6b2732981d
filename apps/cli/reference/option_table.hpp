#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace caos::cli {

/// What a shell may complete the value of an option to.
enum class ValueKind { none, text, file, folder };

/// One option or positional of a verb, as --help shows it.
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

/// A verb, or the program itself, with the verbs below it.
struct VerbEntry {
  std::string name;  ///< as it is typed: `caos landmarks predict`
  std::string description;
  std::string notes;         ///< what --help says below the options, before the example
  std::string example_head;  ///< `Example:`, or what comes before
  std::string example;       ///< commands that work when pasted
  std::vector<OptionEntry> options;
  std::vector<VerbEntry> verbs;
};

/// Everything that --help shows, in its order, as plain values: the one source of manual pages,
/// completions and reference pages.
[[nodiscard]] VerbEntry read_option_table(CLI::App& app);

/// The verbs without verbs below them, in order: those that do something.
[[nodiscard]] std::vector<const VerbEntry*> leaf_verbs(const VerbEntry& program);

/// All verbs, the program first, each before those below it.
[[nodiscard]] std::vector<const VerbEntry*> all_verbs(const VerbEntry& program);

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
