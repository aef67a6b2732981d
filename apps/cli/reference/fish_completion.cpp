#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/documents.hpp"

namespace caos::cli {
namespace {

std::string quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

/// `__caos_at caos landmarks`: whether the words so far name that verb, and none below it.
std::string find_verb(const std::vector<const VerbEntry*>& verbs) {
  std::string names;
  for (const VerbEntry* verb : verbs) names += " " + quoted(verb->name);
  return "# Completion of caos for fish.\nset -g __caos_verbs" + names + R"(

function __caos_at
    set -l verb caos
    for word in (commandline -opc)[2..-1]
        contains -- "$verb $word" $__caos_verbs; and set verb "$verb $word"
    end
    test "$verb" = "$argv"
end

complete -c caos -f
)";
}

std::string line(const VerbEntry& verb, const std::string& what) {
  return "complete -c caos -n " + quoted("__caos_at " + verb.name) + " " + what + "\n";
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

std::string line_of(const VerbEntry& verb, const OptionEntry& option) {
  if (option.positional && !option.choices.empty()) {
    return line(verb,
                fmt::format("-a {}", quoted(fmt::format("{}", fmt::join(option.choices, " ")))));
  }
  if (option.positional) return option.kind == ValueKind::text ? "" : line(verb, "-F");
  const std::string values = option.kind == ValueKind::none ? "" : " " + values_of(option);
  return line(verb, fmt::format("-l {}{} -d {}", option.name().substr(2), values,
                                quoted(option.description)));
}

}  // namespace

Document fish_completion(const VerbEntry& program) {
  std::string text = find_verb(all_verbs(program));
  for (const VerbEntry* verb : all_verbs(program)) {
    for (const VerbEntry& below : verb->verbs) {
      const std::string word = last_word(below);
      text += line(*verb, fmt::format("-a {} -d {}", word, quoted(below.description)));
    }
    for (const OptionEntry& option : verb->options) text += line_of(*verb, option);
  }
  return {"caos.fish", text};
}

}  // namespace caos::cli
