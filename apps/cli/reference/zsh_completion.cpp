#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/completions.hpp"

namespace caos::cli {
namespace {

std::string zsh_quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// Text within a specification of _arguments, where these characters separate its parts.
std::string zsh_part(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\:[]").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_files(const Option& option) {
  switch (value_kind(option)) {
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::nothing:
    case ValueKind::text:
      break;
  }
  return "";
}

/// `message:action`; a value that is not known shows its name.
std::string zsh_value(const Option& option) {
  std::vector<std::string> choices = choices_of(option);
  std::ranges::transform(choices, choices.begin(), zsh_part);
  const std::string words = fmt::format("{}", fmt::join(choices, " "));
  std::string action = zsh_files(option);
  if (!choices.empty()) {
    action = option.get_delimiter() == ',' ? "_values -s , value " + words : "(" + words + ")";
  }
  const std::string& name =
      option.get_type_name().empty() ? option.get_name() : option.get_type_name();
  return zsh_part(name) + ":" + action;
}

/// The names that may not follow: its own, and those that it excludes.
std::string zsh_excluded(const Option& option) {
  const std::string& name = option.get_name();
  if (name == "-h" || name == "--help" || name == "--version") return "(- *)";
  std::vector<std::string> names;
  if (option.get_names().size() > 1) names = option.get_names();
  for (const Option* other : option.get_excludes()) names.push_back(other->get_name());
  return names.empty() ? "" : fmt::format("({})", fmt::join(names, " "));
}

std::vector<std::string> zsh_option(const Option& option) {
  std::vector<std::string> lines;
  const std::string text = "[" + zsh_part(option.get_description()) + "]";
  for (const std::string& name : option.get_names()) {
    const bool is_long = name.starts_with("--");
    const std::string value =
        option.is_flag() ? text : (is_long ? "=" : "+") + text + ":" + zsh_value(option);
    lines.push_back(zsh_quoted(zsh_excluded(option) + name + value));
  }
  return lines;
}

std::string zsh_lines(const Command& command) {
  std::string text;
  std::size_t position = 0;
  for (const Option* option : shown_options(command)) {
    const std::vector<std::string> lines =
        option->is_positional()
            ? std::vector{zsh_quoted(fmt::format("{}:{}", ++position, zsh_value(*option)))}
            : zsh_option(*option);
    for (const std::string& line : lines) text += " \\\n        " + line;
  }
  return text;
}

/// A group offers its commands as the first word, and hands the rest to the one that was chosen.
std::string zsh_function(const Command& command) {
  const std::string name = joined_name(command, '_');
  if (!command.is_group()) {
    return fmt::format("_{}() {{\n    _arguments -s{}\n}}\n\n", name, zsh_lines(command));
  }
  std::string described;
  std::string cases;
  for (const Command* below : command.get_subcommands()) {
    if (below->is_hidden()) continue;
    described += fmt::format(
        "        {}\n", zsh_quoted(below->get_name() + ":" + zsh_part(below->get_description())));
    cases +=
        fmt::format("                {}) _{} ;;\n", below->get_name(), joined_name(*below, '_'));
  }
  return fmt::format(
      "_{}() {{\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
      "    local -a subcommands=(\n{}    )\n    _arguments -C{} \\\n        '1: :->command' '*:: :->rest'\n"
      "    case $state in\n        command) _describe command subcommands ;;\n        rest)\n"
      "            case $words[1] in\n{}            esac ;;\n    esac\n}}\n\n",
      name, described, zsh_lines(command), cases);
}

}  // namespace

std::string zsh_completion(const Command& program) {
  std::string text =
      "#compdef caos\n# Completion of caos for zsh: goes into a folder of $fpath.\n\n";
  for (const Command* command : with_all_below(program)) text += zsh_function(*command);
  return text + "_caos \"$@\"\n";
}

}  // namespace caos::cli
