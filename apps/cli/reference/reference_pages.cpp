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
std::string page_name(const VerbEntry& verb) {
  return joined_name(verb, "-").substr(std::string("caos-").size());
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

std::string rows(const VerbEntry& verb, const std::string& group) {
  std::string text = "| option | default | meaning |\n| --- | --- | --- |\n";
  for (const OptionEntry& option : verb.options) {
    if (option.group != group) continue;
    const std::string by_default = option.default_value.empty() ? "" : code(option.default_value);
    text += fmt::format("| {} | {} | {} |\n", name_cell(option), by_default, meaning_cell(option));
  }
  return text + "\n";
}

std::string option_tables(const VerbEntry& verb) {
  std::string text = "## Options\n\n";
  std::string group = "\n";  // none
  for (const OptionEntry& option : verb.options) {
    if (option.group == group) continue;
    group = option.group;
    if (!group.empty()) text += "### " + group + "\n\n";
    text += rows(verb, group);
  }
  return text;
}

std::string usage(const VerbEntry& verb) {
  std::string text = verb.name;
  for (const OptionEntry& option : verb.options) {
    if (option.required) text += " " + usage_of(option);
  }
  return "```\n" + text + " [OPTIONS]\n```\n\n";
}

std::string example(const VerbEntry& verb) {
  if (verb.example.empty()) return "";
  const std::string head = verb.example_head == "Example:" ? "" : plain(verb.example_head) + "\n\n";
  return "## Example\n\n" + head + "```\n" + verb.example + "\n```\n";
}

std::string page_of(const VerbEntry& verb) {
  std::string text = fmt::format("# {}\n\n{}{}.\n\n", verb.name, origin, plain(verb.description));
  text += usage(verb) + option_tables(verb);
  if (!verb.notes.empty()) text += plain(verb.notes) + "\n\n";
  return text + example(verb);
}

std::string facts_table(const std::string& title, const std::string& what,
                        const std::vector<Fact>& facts) {
  std::string text = fmt::format("## {}\n\n| {} | meaning |\n| --- | --- |\n", title, what);
  for (const Fact& fact : facts) {
    text += fmt::format("| {} | {} |\n", code(fact.name), plain(fact.meaning));
  }
  return text + "\n";
}

std::string index_of(const VerbEntry& program) {
  std::string text = fmt::format("# The program `caos`\n\n{}", origin);
  text += plain(program.description.substr(program.description.find('\n') + 1)) + "\n\n";
  text += "| verb | what it does |\n| --- | --- |\n";
  for (const VerbEntry* verb : leaf_verbs(program)) {
    text += fmt::format("| [{}]({}.md) | {} |\n", verb->name, page_name(*verb),
                        plain(verb->description));
  }
  text += "\n" + plain(program.notes) + "\n\n";
  text += facts_table("Exit codes", "code", exit_codes()) +
          facts_table("Environment", "variable", environment_variables()) +
          facts_table("Files", "place", user_files());
  return text + example(program);
}

}  // namespace

std::vector<Document> reference_pages(const VerbEntry& program) {
  std::vector<Document> pages = {{"README.md", index_of(program)}};
  for (const VerbEntry* verb : leaf_verbs(program)) {
    pages.push_back({page_name(*verb) + ".md", page_of(*verb)});
  }
  return pages;
}

}  // namespace caos::cli
