#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "apps/cli/reference/documents.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

/// Text of a paragraph. Hyphens are those of the keyboard, so that options can be searched for and
/// pasted; a line may not begin like a command of roff.
std::string roff(const std::string& text) {
  std::string escaped = replaced(text, "\\", "\\e");
  escaped = replaced(escaped, "-", "\\-");
  escaped = replaced(escaped, "'", "\\(aq");
  escaped = replaced(escaped, "\n.", "\n\\&.");
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string head(const std::string& name) {
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  // Without a date: the same program prints the same page on every day.
  return fmt::format(".TH {} 1 \"\" \"caos {}\" \"User Commands\"\n", roff(title), version());
}

std::string section(const std::string& name) { return ".SH " + name + "\n"; }

/// A tag and what it means, indented.
std::string item(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + text + "\n";
}

std::string tag_of(const OptionEntry& option) {
  std::string text;
  for (const std::string& name : option.names) {
    if (!text.empty()) text += ", ";
    text += option.positional ? italic(name) : bold(name);
  }
  if (!option.positional && !option.value_name.empty()) text += " " + italic(option.value_name);
  return text;
}

std::string meaning_of(const OptionEntry& option) {
  std::string text = roff(option.description) + ".";
  if (option.required && !option.positional) text += "\nRequired.";
  if (!option.default_value.empty()) text += "\nDefault: " + roff(option.default_value) + ".";
  return text;
}

std::string options_of(const CommandEntry& command) {
  std::string text;
  std::string group;
  for (const OptionEntry& option : command.options) {
    if (option.group != group) text += ".SS " + roff(option.group) + "\n";
    group = option.group;
    text += item(tag_of(option), meaning_of(option));
  }
  return text;
}

/// The options that must be given, then "[OPTIONS]".
std::string synopsis(const CommandEntry& command) {
  std::string text = bold(command.name);
  for (const OptionEntry& option : command.options) {
    if (!option.required) continue;
    text += " " + tag_of(option);
  }
  return text + (command.commands.empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]") + "\n";
}

std::string name_section(const std::string& name, const std::string& description) {
  return section("NAME") + roff(name) + " \\- " + roff(description) + "\n";
}

std::string example_section(const CommandEntry& command) {
  if (command.example.empty()) return "";
  std::string text = section("EXAMPLE");
  if (command.example_head != "Example:") text += roff(command.example_head) + "\n.PP\n";
  return text + ".EX\n" + roff(command.example) + "\n.EE\n";
}

std::string notes_section(const CommandEntry& command) {
  return command.notes.empty() ? "" : section("NOTES") + roff(command.notes) + "\n";
}

std::string facts_section(const std::string& name, const std::vector<Fact>& facts) {
  std::string text = section(name);
  for (const Fact& fact : facts) text += item(bold(fact.name), roff(fact.meaning));
  return text;
}

std::string page_of(const CommandEntry& command) {
  const std::string name = joined_name(command, "-");
  return head(name) + name_section(name, command.description) + section("SYNOPSIS") +
         synopsis(command) + section("OPTIONS") + options_of(command) + notes_section(command) +
         example_section(command) + section("SEE ALSO") + ".BR caos (1)\n";
}

std::string list_of(const std::vector<const CommandEntry*>& commands) {
  std::string text;
  for (const CommandEntry* command : commands) {
    text += item("\\fB" + roff(joined_name(*command, "-")) + "\\fR(1)",
                 roff(command->description) + ".");
  }
  return text;
}

std::string see_also(const std::vector<const CommandEntry*>& commands) {
  std::string text = section("SEE ALSO");
  for (const CommandEntry* command : commands) {
    text += ".BR " + roff(joined_name(*command, "-")) + " (1)" +
            (command == commands.back() ? "" : ",") + "\n";
  }
  return text;
}

/// The first line of the program's description names it; the rest says what it does.
std::string main_page(const CommandEntry& program) {
  const std::size_t line = program.description.find('\n');
  const std::size_t name = program.description.find(": ") + 2;
  const std::vector<const CommandEntry*> commands = leaf_commands(program);
  return head("caos") + name_section("caos", program.description.substr(name, line - name - 1)) +
         section("SYNOPSIS") + bold("caos") + " COMMAND [OPTIONS]\n.br\n" + bold("caos") +
         " COMMAND \\-\\-help\n" + section("DESCRIPTION") +
         roff(program.description.substr(line + 1)) + "\n" + section("COMMANDS") +
         list_of(commands) + section("OPTIONS") + options_of(program) + notes_section(program) +
         facts_section("EXIT STATUS", exit_codes()) +
         facts_section("ENVIRONMENT", environment_variables()) +
         facts_section("FILES", user_files()) + example_section(program) + see_also(commands);
}

}  // namespace

std::vector<Document> manual_pages(const CommandEntry& program) {
  std::vector<Document> pages = {{"caos.1", main_page(program)}};
  for (const CommandEntry* command : leaf_commands(program)) {
    pages.push_back({joined_name(*command, "-") + ".1", page_of(*command)});
  }
  return pages;
}

}  // namespace caos::cli
