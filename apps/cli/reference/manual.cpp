#include "apps/cli/reference/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "apps/cli/help.hpp"
#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/reference_facts.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

/// Text of a paragraph. Hyphens are those of the keyboard, so that options can be searched for and
/// pasted; a line must not begin like a command of roff.
std::string roff(const std::string& text) {
  std::string escaped = replaced(text, "\\", "\\e");
  escaped = replaced(escaped, "-", "\\-");
  escaped = replaced(escaped, "'", "\\(aq");
  escaped = replaced(escaped, "\n.", "\n\\&.");
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// A tag and what it means, indented.
std::string tagged(const std::string& tag, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", tag, text);
}

std::string option_tag(const Option& option) {
  std::string text;
  for (const std::string& name : option.get_names()) {
    text += (text.empty() ? "" : ", ") + (option.is_positional() ? italic(name) : bold(name));
  }
  const bool has_value = !option.is_positional() && !option.get_type_name().empty();
  return has_value ? text + " " + italic(option.get_type_name()) : text;
}

std::string option_text(const Option& option) {
  std::string text = roff(option.get_description()) + ".";
  if (option.get_required() && !option.is_positional()) text += "\nRequired.";
  if (!option.get_default_str().empty())
    text += "\nDefault: " + roff(option.get_default_str()) + ".";
  return text;
}

std::string options_section(const Command& command) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionGroup& group : option_groups(command)) {
    text += fmt::format(".SS {}\n", roff(group.heading));
    for (const Option* option : group.options)
      text += tagged(option_tag(*option), option_text(*option));
  }
  return text;
}

/// What the help says below the options: notes, and below them commands that work when pasted.
struct Footer {
  std::string notes{};
  std::string heading{};
  std::string commands{};
};

Footer footer_of(const Command& command) {
  const std::string& text = command.get_footer();
  const std::size_t start = text.find("Example");
  if (start == std::string::npos) return {.notes = text};
  const std::size_t end = text.find('\n', start);
  Footer footer{.notes = text.substr(0, start),
                .heading = text.substr(start, end - start),
                .commands = replaced(text.substr(end), "\n  ", "\n").substr(1)};
  while (footer.notes.ends_with('\n')) footer.notes.pop_back();
  return footer;
}

std::string notes_section(const Footer& footer) {
  return footer.notes.empty() ? "" : fmt::format(".SH NOTES\n{}\n", roff(footer.notes));
}

std::string example_section(const Footer& footer) {
  if (footer.commands.empty()) return "";
  const bool plain = footer.heading == "Example:" || footer.heading == "Examples:";
  return fmt::format(".SH EXAMPLES\n{}.EX\n{}\n.EE\n",
                     plain ? "" : roff(footer.heading) + "\n.PP\n", roff(footer.commands));
}

std::string facts_section(const char* name, std::span<const Fact> facts) {
  std::string text = fmt::format(".SH {}\n", name);
  for (const Fact& fact : facts) text += tagged(bold(fact.name), roff(fact.meaning));
  return text;
}

std::string head(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(
      ".TH {} 1 \"\" \"caos {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
      roff(title), version(), roff(name), roff(summary));
}

std::string synopsis(const Command& command) {
  std::string text = bold(command.typed_name());
  if (command.is_group()) return text + " COMMAND [OPTIONS]\n";
  for (const Option* option : shown_options(command)) {
    if (option->get_required()) text += " " + option_tag(*option);
  }
  return text + " [OPTIONS]\n";
}

std::string commands_section(const Command& program) {
  std::string text = ".SH COMMANDS\n";
  for (const Command* command : leaves_of(program)) {
    text += tagged("\\fB" + roff(joined_name(*command, '-')) + "\\fR(1)",
                   roff(command->get_description()) + ".");
  }
  return text;
}

std::string see_all(const Command& program) {
  std::string text;
  for (const Command* command : leaves_of(program)) {
    text +=
        (text.empty() ? "" : ",\n") + fmt::format(".BR {} (1)", roff(joined_name(*command, '-')));
  }
  return ".SH SEE ALSO\n" + text + "\n";
}

/// The first line of the program's description names it; the rest says what it does.
std::string main_page(const Command& program) {
  const std::string& text = program.get_description();
  const std::size_t colon = text.find(": ");
  const std::size_t line = text.find('\n');
  const Footer footer = footer_of(program);
  return head("caos", text.substr(colon + 2, line - colon - 3)) + synopsis(program) +
         ".SH DESCRIPTION\n" + roff(text.substr(line + 1)) + "\n" + commands_section(program) +
         options_section(program) + notes_section(footer) +
         facts_section("EXIT STATUS", exit_codes) +
         facts_section("ENVIRONMENT", environment_variables) + facts_section("FILES", kept_files) +
         example_section(footer) + see_all(program);
}

}  // namespace

std::string manual_page(const Command& command) {
  if (command.get_parent() == nullptr) return main_page(command);
  const Footer footer = footer_of(command);
  return head(joined_name(command, '-'), command.get_description()) + synopsis(command) +
         options_section(command) + notes_section(footer) + example_section(footer) +
         ".SH SEE ALSO\n.BR caos (1)\n";
}

std::map<std::string, std::string> manual_pages(const Command& program) {
  std::map<std::string, std::string> pages = {{"caos.1", manual_page(program)}};
  for (const Command* command : leaves_of(program)) {
    pages[joined_name(*command, '-') + ".1"] = manual_page(*command);
  }
  return pages;
}

}  // namespace caos::cli
