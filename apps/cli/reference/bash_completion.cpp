#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/documents.hpp"

namespace caos::cli {
namespace {

/// Functions that the tables below it speak of. `cur` is the word to be completed, and `list` what
/// stands before it up to the last comma, where a comma separates values.
constexpr const char* preamble =
    R"(# Completion of caos for bash: source it, or put it where bash-completion looks.
_caos_words() {
    mapfile -t COMPREPLY < <(compgen -P "$list" -W "$1" -- "$cur")
    [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}
_caos_list() {
    list=${cur%"${cur##*,}"}
    cur=${cur##*,}
    _caos_words "$1"
}
_caos_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
_caos_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}
)";

constexpr const char* find_command = R"(_caos() {
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} list= command=caos word
    # bash splits --option=value and onnx:file into three words each.
    [[ $cur == [=:] ]] && cur=
    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$command $word" in
)";

constexpr const char* after_command = R"( command="$command $word" ;;
        esac
    done
    COMPREPLY=()
    [[ $previous == : || ${COMP_WORDS[COMP_CWORD]} == : ]] && { _caos_files; return; }
    case "$command $previous" in
)";

constexpr const char* before_names = R"(    esac
    case "$command" in
)";

constexpr const char* end = R"(    esac
    return 0
}
complete -F _caos caos
)";

std::string action_of(const OptionEntry& option) {
  if (!option.choices.empty()) {
    return fmt::format("{} '{}'", option.list ? "_caos_list" : "_caos_words",
                       fmt::join(option.choices, " "));
  }
  if (option.kind == ValueKind::file) return "_caos_files";
  return option.kind == ValueKind::folder ? "_caos_folders" : ":";
}

/// What follows an option that takes a value. Where none is known, nothing is offered.
std::string values_of(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    if (option.positional || option.kind == ValueKind::none) continue;
    text += fmt::format("        '{} {}') {}; return ;;\n", command.name, option.name(),
                        action_of(option));
  }
  return text;
}

bool takes_files(const CommandEntry& command) {
  for (const OptionEntry& option : command.options) {
    if (option.positional && option.kind != ValueKind::text) return true;
  }
  return false;
}

/// Commands and options, and files where the command takes some that are not an option's.
std::string names_of(const CommandEntry& command) {
  std::vector<std::string> words;
  for (const CommandEntry& below : command.commands) {
    words.push_back(last_word(below));
  }
  std::vector<std::string> options;
  std::vector<std::string> positional;
  for (const OptionEntry& option : command.options) {
    if (option.positional) positional = option.choices;
    if (!option.positional) options.push_back(option.name());
  }
  words.insert(words.end(), positional.begin(), positional.end());
  const std::string others = takes_files(command)
                                 ? std::string("_caos_files")
                                 : fmt::format("_caos_words '{}'", fmt::join(words, " "));
  return fmt::format(
      "        '{}') if [[ $cur == -* ]]; then\n            _caos_words '{}'\n"
      "        else {}; fi ;;\n",
      command.name, fmt::join(options, " "), others);
}

}  // namespace

Document bash_completion(const CommandEntry& program) {
  std::string commands;
  std::string values;
  std::string names;
  for (const CommandEntry* command : all_commands(program)) {
    if (command != &program)
      commands += fmt::format("{}'{}'", commands.empty() ? "" : " | ", command->name);
    values += values_of(*command);
    names += names_of(*command);
  }
  return {"caos", std::string(preamble) + find_command + "            " + commands + ")" +
                      after_command + values + before_names + names + end};
}

}  // namespace caos::cli
