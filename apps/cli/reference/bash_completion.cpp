#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/completions.hpp"

namespace caos::cli {
namespace {

// `cur` is the word to be completed, and `list` what stands before it up to the last comma, where a
// comma separates values.
constexpr const char* bash_script =
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
_caos() {
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} list= command=caos word
    # bash splits --option=value and onnx:file into three words each.
    [[ $cur == [=:] ]] && cur=
    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$command $word" in
            @COMMANDS@) command="$command $word" ;;
        esac
    done
    COMPREPLY=()
    [[ $previous == : || ${COMP_WORDS[COMP_CWORD]} == : ]] && { _caos_files; return; }
    case "$command $previous" in
@VALUES@    esac
    case "$command" in
@NAMES@    esac
    return 0
}
complete -F _caos caos
)";

std::string bash_action(const Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) {
    return fmt::format("{} '{}'", option.get_delimiter() == ',' ? "_caos_list" : "_caos_words",
                       fmt::join(choices, " "));
  }
  switch (value_kind(option)) {
    case ValueKind::file:
      return "_caos_files";
    case ValueKind::folder:
      return "_caos_folders";
    case ValueKind::nothing:
    case ValueKind::text:
      break;
  }
  return ":";
}

/// What follows an option that takes a value. Where none is known, nothing is offered.
std::string bash_values(const Command& command) {
  std::string text;
  for (const Option* option : shown_options(command)) {
    if (option->is_positional() || option->is_flag()) continue;
    std::vector<std::string> words;
    for (const std::string& name : option->get_names()) {
      words.push_back(fmt::format("'{} {}'", command.typed_name(), name));
    }
    text +=
        fmt::format("        {}) {}; return ;;\n", fmt::join(words, " | "), bash_action(*option));
  }
  return text;
}

/// Commands or the words of an argument, and files where the command takes some that are not an
/// option's.
std::string bash_others(const Command& command) {
  std::vector<std::string> words;
  for (const Command* below : command.get_subcommands()) {
    if (!below->is_hidden()) words.push_back(below->get_name());
  }
  for (const Option* option : shown_options(command)) {
    if (!option->is_positional()) continue;
    if (value_kind(*option) != ValueKind::text) return "_caos_files";
    words = choices_of(*option);
  }
  return fmt::format("_caos_words '{}'", fmt::join(words, " "));
}

std::string bash_names(const Command& command) {
  std::vector<std::string> options;
  for (const Option* option : shown_options(command)) {
    if (!option->is_positional()) options.push_back(option->get_name());
  }
  return fmt::format(
      "        '{}') if [[ $cur == -* ]]; then\n            _caos_words '{}'\n        else {}; fi ;;\n",
      command.typed_name(), fmt::join(options, " "), bash_others(command));
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::vector<std::string> below;
  std::string values;
  std::string names;
  for (const Command* command : with_all_below(program)) {
    if (command != &program) below.push_back("'" + command->typed_name() + "'");
    values += bash_values(*command);
    names += bash_names(*command);
  }
  std::string script =
      replaced(bash_script, "@COMMANDS@", fmt::format("{}", fmt::join(below, " | ")));
  return replaced(replaced(script, "@VALUES@", values), "@NAMES@", names);
}

}  // namespace caos::cli
