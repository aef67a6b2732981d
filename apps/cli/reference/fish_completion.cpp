#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/documents.hpp"

namespace caos::cli {
namespace {

std::string quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

/// `__caos_at caos landmarks`: whether the words so far name that command, and none below it.
std::string find_command(const std::vector<const CommandEntry*>& commands) {
  std::string names;
  for (const CommandEntry* command : commands) names += " " + quoted(command->name);
  return "# Completion of caos for fish.\nset -g __caos_commands" + names + R"(

function __caos_at
    set -l command caos
    for word in (commandline -opc)[2..-1]
        contains -- "$command $word" $__caos_commands; and set command "$command $word"
    end
    test "$command" = "$argv"
end

complete -c caos -f
)";
}

std::string line(const CommandEntry& command, const std::string& what) {
  return "complete -c caos -n " + quoted("__caos_at " + command.name) + " " + what + "\n";
}

/// What may stand as a value: files, folders, words, or words separated by commas.
std::string values_of(const OptionEntry& option) {
  const std::string words = fmt::format("{}", fmt::join(option.choices, " "));
  if (!words.empty() && option.list) return "-x -a " + quoted("(__fish_append , " + words + ")");
  if (!words.empty()) {
    return (option.kind == ValueKind::file ? "-r -F -a " : "-x -a ") + quoted(words);
  }
  if (option.kind == ValueKind::file) return "-r -F";
  return option.kind == ValueKind::folder ? "-x -a '(__fish_complete_directories)'" : "-x";
}

std::string line_of(const CommandEntry& command, const OptionEntry& option) {
  if (option.positional && !option.choices.empty()) {
    return line(command,
                fmt::format("-a {}", quoted(fmt::format("{}", fmt::join(option.choices, " ")))));
  }
  if (option.positional) return option.kind == ValueKind::text ? "" : line(command, "-F");
  const std::string values = option.kind == ValueKind::none ? "" : " " + values_of(option);
  return line(command, fmt::format("-l {}{} -d {}", option.name().substr(2), values,
                                   quoted(option.description)));
}

}  // namespace

Document fish_completion(const CommandEntry& program) {
  std::string text = find_command(all_commands(program));
  for (const CommandEntry* command : all_commands(program)) {
    for (const CommandEntry& below : command->commands) {
      const std::string word = last_word(below);
      text += line(*command, fmt::format("-a {} -d {}", word, quoted(below.description)));
    }
    for (const OptionEntry& option : command->options) text += line_of(*command, option);
  }
  return {"caos.fish", text};
}

}  // namespace caos::cli
