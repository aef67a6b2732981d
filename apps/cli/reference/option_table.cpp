#include "apps/cli/reference/option_table.hpp"

#include <algorithm>
#include <sstream>

namespace caos::cli {
namespace {

ValueKind kind_of(const Option& option) {
  if (option.is_flag()) return ValueKind::none;
  if (!option.is_path()) return ValueKind::text;
  return option.get_type_name() == "DIR" ? ValueKind::folder : ValueKind::file;
}

/// Of a value name such as `labels|FILE` the words in small letters are meant as they stand.
std::vector<std::string> words_in(const std::string& value_name) {
  std::vector<std::string> words;
  std::istringstream parts(value_name);
  for (std::string part; std::getline(parts, part, '|');) {
    const bool word = std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
    if (word && !part.empty()) words.push_back(part);
  }
  return words;
}

std::vector<std::string> choices_of(const Option& option) {
  return option.get_offers().empty() ? words_in(option.get_type_name()) : option.get_offers();
}

std::vector<std::string> excluded_by(const Option& option) {
  std::vector<std::string> names;
  for (const Option* other : option.get_excludes()) names.push_back(other->get_name());
  std::ranges::sort(names);
  return names;
}

OptionEntry entry_of(const Option& option) {
  return {.names = option.get_names(),
          .value_name = option.get_type_name(),
          .default_value = option.get_default_str(),
          .description = option.get_description(),
          .group = option.get_group(),
          .kind = kind_of(option),
          .required = option.get_required(),
          .positional = option.is_positional(),
          .list = option.get_delimiter() == ',',
          .choices = choices_of(option),
          .excludes = excluded_by(option)};
}

/// The lines without the two blanks that --help sets before commands.
std::string without_indent(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    result += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
  }
  if (!result.empty()) result.pop_back();
  return result;
}

void set_footer(CommandEntry& command, const std::string& footer) {
  const std::size_t start = footer.starts_with("Example") ? 0 : footer.find("\nExample");
  if (start == std::string::npos) {
    command.notes = footer;
    return;
  }
  const std::size_t head = footer.find("Example", start);
  const std::size_t end = std::min(footer.find('\n', head), footer.size());
  command.notes = footer.substr(0, start);
  while (command.notes.ends_with('\n')) command.notes.pop_back();
  command.example_head = footer.substr(head, end - head);
  command.example = without_indent(footer.substr(std::min(end + 1, footer.size())));
}

CommandEntry command_of(const Command& app, const std::string& parents) {
  CommandEntry command;
  command.name = parents + app.get_name();
  command.description = app.get_description();
  set_footer(command, app.get_footer());
  for (const Option* option : app.get_options()) {
    if (!option->is_hidden()) command.options.push_back(entry_of(*option));
  }
  // As in --help, where options of a group of their own come last.
  std::ranges::stable_partition(command.options, &std::string::empty, &OptionEntry::group);
  for (const Command* below : app.get_subcommands()) {
    command.commands.push_back(command_of(*below, command.name + " "));
  }
  return command;
}

void collect(const CommandEntry& command, std::vector<const CommandEntry*>& commands) {
  commands.push_back(&command);
  for (const CommandEntry& below : command.commands) collect(below, commands);
}

}  // namespace

CommandEntry read_option_table(const Command& app) { return command_of(app, ""); }

std::vector<const CommandEntry*> all_commands(const CommandEntry& program) {
  std::vector<const CommandEntry*> commands;
  collect(program, commands);
  return commands;
}

std::vector<const CommandEntry*> leaf_commands(const CommandEntry& program) {
  std::vector<const CommandEntry*> commands = all_commands(program);
  std::erase_if(commands, [](const CommandEntry* command) { return !command->commands.empty(); });
  return commands;
}

std::string usage_of(const OptionEntry& option) {
  std::string text = option.name();
  if (!option.positional && !option.value_name.empty()) text += " " + option.value_name;
  return option.required ? text : "[" + text + "]";
}

const std::vector<Fact>& exit_codes() {
  static const std::vector<Fact> facts = {
      {"0", "Done. A warning on standard error does not change this."},
      {"1",
       "Failed: a file is missing, damaged or cannot be written, a model runtime failed, verify found "
       "a contradiction, or inspect an output that is not what was written. Nothing half-written is "
       "left."},
      {"2", "Misused: an option or a value that cannot be right. Nothing was written."}};
  return facts;
}

const std::vector<Fact>& environment_variables() {
  static const std::vector<Fact> facts = {
      {"CAOS_KERNELS",
       "The instruction set to compute with, such as SCALAR; by default the best that the processor "
       "has. Results are the same bytes with each; caos --version says which one is used."},
      {"XDG_CACHE_HOME",
       "The folder in which a folder caos keeps embeddings that were computed before; by default "
       ".cache in the home folder."},
      {"HOME", "The home folder, where XDG_CACHE_HOME is not set."}};
  return facts;
}

const std::vector<Fact>& user_files() {
  static const std::vector<Fact> facts = {
      {"~/.cache/caos",
       "Embeddings of images, so that a second run is fast. May be deleted at any time; --no-cache "
       "keeps none, and --cache DIR keeps them elsewhere."}};
  return facts;
}

}  // namespace caos::cli
