#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/reference/documents.hpp"

namespace caos::cli {
namespace {

constexpr const char* origin =
    "<!-- Printed by the program: `make reference` writes it anew. -->\n\n";

/// Text in a cell of a table, or in a paragraph: as it stands.
std::string plain(const std::string& text) {
  std::string escaped = replaced(text, "|", "\\|");
  for (const std::string sign : {"<", "*", "_", "["})
    escaped = replaced(escaped, sign, "\\" + sign);
  return escaped;
}

std::string code(const std::string& text) { return "`" + replaced(text, "|", "\\|") + "`"; }

/// The name of a page, without `caos`: `landmarks-predict`.
std::string page_name(const CommandEntry& command) {
  return joined_name(command, "-").substr(std::string("caos-").size());
}

std::string name_cell(const OptionEntry& option) {
  std::string text = option.name();
  if (!option.positional && !option.value_name.empty()) text += " " + option.value_name;
  return code(text);
}

std::string meaning_cell(const OptionEntry& option) {
  std::string text = plain(option.description);
  if (option.required) text += ". **Required**";
  if (!option.excludes.empty()) {
    text += fmt::format(". Not together with `{}`", fmt::join(option.excludes, "`, `"));
  }
  return text;
}

std::string rows(const CommandEntry& command, const std::string& group) {
  std::string text = "| option | default | meaning |\n| --- | --- | --- |\n";
  for (const OptionEntry& option : command.options) {
    if (option.group != group) continue;
    const std::string by_default = option.default_value.empty() ? "" : code(option.default_value);
    text += fmt::format("| {} | {} | {} |\n", name_cell(option), by_default, meaning_cell(option));
  }
  return text + "\n";
}

std::string option_tables(const CommandEntry& command) {
  std::string text = "## Options\n\n";
  std::string group = "\n";  // none
  for (const OptionEntry& option : command.options) {
    if (option.group == group) continue;
    group = option.group;
    if (!group.empty()) text += "### " + group + "\n\n";
    text += rows(command, group);
  }
  return text;
}

std::string usage(const CommandEntry& command) {
  std::string text = command.name;
  for (const OptionEntry& option : command.options) {
    if (option.required) text += " " + usage_of(option);
  }
  return "```\n" + text + " [OPTIONS]\n```\n\n";
}

std::string example(const CommandEntry& command) {
  if (command.example.empty()) return "";
  const std::string head =
      command.example_head == "Example:" ? "" : plain(command.example_head) + "\n\n";
  return "## Example\n\n" + head + "```\n" + command.example + "\n```\n";
}

std::string page_of(const CommandEntry& command) {
  std::string text =
      fmt::format("# {}\n\n{}{}.\n\n", command.name, origin, plain(command.description));
  text += usage(command) + option_tables(command);
  if (!command.notes.empty()) text += plain(command.notes) + "\n\n";
  return text + example(command);
}

std::string facts_table(const std::string& title, const std::string& what,
                        const std::vector<Fact>& facts) {
  std::string text = fmt::format("## {}\n\n| {} | meaning |\n| --- | --- |\n", title, what);
  for (const Fact& fact : facts) {
    text += fmt::format("| {} | {} |\n", code(fact.name), plain(fact.meaning));
  }
  return text + "\n";
}

std::string index_of(const CommandEntry& program) {
  std::string text = fmt::format("# The program `caos`\n\n{}", origin);
  text += plain(program.description.substr(program.description.find('\n') + 1)) + "\n\n";
  text += "| command | what it does |\n| --- | --- |\n";
  for (const CommandEntry* command : leaf_commands(program)) {
    text += fmt::format("| [{}]({}.md) | {} |\n", command->name, page_name(*command),
                        plain(command->description));
  }
  text += "\n" + plain(program.notes) + "\n\n";
  text += facts_table("Exit codes", "code", exit_codes()) +
          facts_table("Environment", "variable", environment_variables()) +
          facts_table("Files", "place", user_files());
  return text + example(program);
}

}  // namespace

std::vector<Document> reference_pages(const CommandEntry& program) {
  std::vector<Document> pages = {{"README.md", index_of(program)}};
  for (const CommandEntry* command : leaf_commands(program)) {
    pages.push_back({page_name(*command) + ".md", page_of(*command)});
  }
  return pages;
}

}  // namespace caos::cli
