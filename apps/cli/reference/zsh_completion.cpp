#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/documents.hpp"

namespace caos::cli {
namespace {

std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// Text within a specification of _arguments, where these signs separate its parts.
std::string part(const std::string& text) {
  std::string escaped = replaced(text, "\\", "\\\\");
  for (const std::string sign : {":", "[", "]"}) escaped = replaced(escaped, sign, "\\" + sign);
  return escaped;
}

std::string action_of(const OptionEntry& option) {
  if (!option.choices.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : option.choices) words.push_back(part(word));
    return option.list ? fmt::format("_values -s , value {}", fmt::join(words, " "))
                       : fmt::format("({})", fmt::join(words, " "));
  }
  if (option.kind == ValueKind::file) return "_files";
  return option.kind == ValueKind::folder ? "_files -/" : "";
}

/// `message:action`; a value that is not known shows its name.
std::string value_of(const OptionEntry& option) {
  const std::string name = option.value_name.empty() ? option.name() : option.value_name;
  return part(name) + ":" + action_of(option);
}

std::string line_of(const OptionEntry& option, std::size_t position) {
  if (option.positional) return quoted(fmt::format("{}:{}", position, value_of(option)));
  std::vector<std::string> others = option.excludes;
  const bool ends = option.name() == "--help" || option.name() == "--version";
  if (ends) others = {"-", "*"};
  const std::string excluded = others.empty() ? "" : fmt::format("({})", fmt::join(others, " "));
  const std::string text = "[" + part(option.description) + "]";
  if (option.kind == ValueKind::none) return quoted(excluded + option.name() + text);
  return quoted(excluded + option.name() + "=" + text + ":" + value_of(option));
}

std::string lines_of(const CommandEntry& command) {
  std::string text;
  std::size_t position = 0;
  for (const OptionEntry& option : command.options) {
    if (option.positional) ++position;
    text += " \\\n        " + line_of(option, position);
  }
  return text;
}

std::string function_of(const CommandEntry& command) {
  return fmt::format("_{}() {{\n    _arguments -s{}\n}}\n\n", joined_name(command, "_"),
                     lines_of(command));
}

/// A group offers its commands as the first word, and hands the rest to the command that was
/// chosen.
std::string group_function_of(const CommandEntry& command) {
  std::string described;
  std::string cases;
  for (const CommandEntry& below : command.commands) {
    const std::string word = last_word(below);
    described += "        " + quoted(word + ":" + part(below.description)) + "\n";
    cases += fmt::format("                {}) _{} ;;\n", word, joined_name(below, "_"));
  }
  return fmt::format(
      "_{}() {{\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
      "    local -a subcommands=(\n{}    )\n    _arguments -C{} \\\n        '1: :->command' '*:: :->rest'\n"
      "    case $state in\n        command) _describe command subcommands ;;\n        rest)\n"
      "            case $words[1] in\n{}            esac ;;\n    esac\n}}\n\n",
      joined_name(command, "_"), described, lines_of(command), cases);
}

}  // namespace

Document zsh_completion(const CommandEntry& program) {
  std::string text =
      "#compdef caos\n# Completion of caos for zsh: goes into a folder of $fpath.\n\n";
  for (const CommandEntry* command : all_commands(program)) {
    text += command->commands.empty() ? function_of(*command) : group_function_of(*command);
  }
  return {"_caos", text + "_caos \"$@\"\n"};
}

}  // namespace caos::cli
