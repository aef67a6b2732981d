#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/completions.hpp"

namespace caos::cli {
namespace {

// `__caos_at caos landmarks`: whether the words so far name that command, and none below it.
constexpr const char* fish_script = R"(# Completion of caos for fish.
set -g __caos_commands @COMMANDS@

function __caos_at
    set -l command caos
    for word in (commandline -opc)[2..-1]
        contains -- "$command $word" $__caos_commands; and set command "$command $word"
    end
    test "$command" = "$argv"
end

complete -c caos -f
)";

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_line(const Command& command, const std::string& what) {
  return fmt::format("complete -c caos -n {} {}\n",
                     fish_quoted("__caos_at " + command.typed_name()), what);
}

/// What may stand as a value: files, folders, words, or words separated by commas.
std::string fish_values(const Option& option) {
  const std::string words = fmt::format("{}", fmt::join(choices_of(option), " "));
  if (!words.empty() && option.get_delimiter() == ',') {
    return "-x -a " + fish_quoted("(__fish_append , " + words + ")");
  }
  const ValueKind kind = value_kind(option);
  if (!words.empty()) {
    return (kind == ValueKind::file ? "-r -F -a " : "-x -a ") + fish_quoted(words);
  }
  if (kind == ValueKind::file) return "-r -F";
  return kind == ValueKind::folder ? "-x -a '(__fish_complete_directories)'" : "-x";
}

std::string fish_argument(const Command& command, const Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) {
    return fish_line(command, "-a " + fish_quoted(fmt::format("{}", fmt::join(choices, " "))));
  }
  return value_kind(option) == ValueKind::text ? "" : fish_line(command, "-F");
}

std::string fish_option(const Command& command, const Option& option) {
  if (option.is_positional()) return fish_argument(command, option);
  std::string names;
  for (const std::string& name : option.get_names()) {
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const std::string values = option.is_flag() ? "" : " " + fish_values(option);
  return fish_line(command, fmt::format("{}{} -d {}", names.substr(1), values,
                                        fish_quoted(option.get_description())));
}

}  // namespace

std::string fish_completion(const Command& program) {
  std::vector<std::string> names;
  std::string text;
  for (const Command* command : with_all_below(program)) {
    names.push_back(fish_quoted(command->typed_name()));
    for (const Command* below : command->get_subcommands()) {
      if (below->is_hidden()) continue;
      text += fish_line(*command, fmt::format("-a {} -d {}", below->get_name(),
                                              fish_quoted(below->get_description())));
    }
    for (const Option* option : shown_options(*command)) text += fish_option(*command, *option);
  }
  return replaced(fish_script, "@COMMANDS@", fmt::format("{}", fmt::join(names, " "))) + text;
}

}  // namespace caos::cli
