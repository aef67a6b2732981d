#include "apps/cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "apps/cli/option_headings.hpp"

namespace caos::cli {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t tag_width = 34;

/// The text in lines that fit right of the tags, each but the first indented.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  std::size_t used = 0;
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= page_width - tag_width;
    if (used > 0) result += fits ? " " : "\n" + std::string(tag_width, ' ');
    used = used > 0 && fits ? used + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

/// A tag and what it means beside it, or below it if the tag is long.
std::string item(const std::string& tag, const std::string& text) {
  const bool fits = tag.size() + 2 <= tag_width;
  return fmt::format("{:<{}}{}\n", fits ? tag : tag + "\n" + std::string(tag_width, ' '),
                     fits ? tag_width : 0, wrapped(text));
}

/// `-o, --output FILE`
std::string tag_of(const Option& option) {
  const bool is_long = option.get_names().front().starts_with("--");
  std::string tag =
      (is_long ? "      " : "  ") + fmt::format("{}", fmt::join(option.get_names(), ", "));
  if (!option.is_positional() && !option.get_type_name().empty())
    tag += " " + option.get_type_name();
  return tag;
}

std::string text_of(const Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += " [" + option.get_default_str() + "]";
  if (option.get_required() && !option.is_positional()) text += " (required)";
  return text;
}

std::string items(const std::vector<const Option*>& options) {
  std::string text;
  for (const Option* option : options) text += item(tag_of(*option), text_of(*option));
  return text;
}

std::string commands_text(const Command& group) {
  std::string text;
  for (const Command* command : group.get_subcommands()) {
    if (!command->is_hidden()) text += item("  " + command->get_name(), command->get_description());
  }
  return text.empty() ? "" : "\nCommands:\n" + text;
}

/// What must be given.
std::string usage(const Command& command) {
  std::string text = "Usage: " + command.typed_name();
  if (command.is_group()) return text + " COMMAND [OPTIONS]\n";
  for (const Option* option : command.get_options()) {
    if (!option->get_required()) continue;
    text += " " + option->get_name();
    if (!option->is_positional()) text += " " + option->get_type_name();
  }
  return text + " [OPTIONS]\n";
}

std::string head(const Command& command) {
  return fmt::format("{}\n\n{}", command.get_description(), usage(command));
}

std::string tail(const Command& command) {
  return command.get_footer().empty() ? "" : "\n" + command.get_footer() + "\n";
}

std::string shown_heading(const Option& option) {
  if (option.is_positional()) return "Arguments";
  return option.get_group().empty() ? heading_of(option.get_name()) : option.get_group();
}

/// The examples at the end of the footer.
std::string examples(const Command& command) {
  const std::string& footer = command.get_footer();
  const std::size_t start = footer.find("Example");
  return start == std::string::npos ? "" : "\n" + footer.substr(start) + "\n";
}

std::string more_help(const Command& command) {
  const std::string name = command.typed_name();
  return command.is_group() ? fmt::format("\n'{} COMMAND -h' explains a command.\n", name)
                            : fmt::format("\n'{} --help' shows all options.\n", name);
}

}  // namespace

std::vector<OptionGroup> option_groups(const Command& command) {
  std::vector<OptionGroup> groups;
  for (const Option* option : command.get_options()) {
    if (option->is_hidden()) continue;
    const std::string heading = shown_heading(*option);
    auto group = std::ranges::find(groups, heading, &OptionGroup::heading);
    if (group == groups.end()) group = groups.insert(groups.end(), {.heading = heading});
    group->options.push_back(option);
  }
  std::ranges::stable_sort(groups, {}, [](const OptionGroup& group) {
    return group.heading == "Arguments" ? 0 : heading_place(group.heading) + 1;
  });
  return groups;
}

std::string short_help(const Command& command) {
  std::vector<const Option*> shown;
  for (const OptionGroup& group : option_groups(command)) {
    std::ranges::copy_if(group.options, std::back_inserter(shown), [](const Option* option) {
      return option->is_positional() || option->get_required() || is_basic(option->get_name());
    });
  }
  return head(command) + commands_text(command) + (shown.empty() ? "" : "\n" + items(shown)) +
         examples(command) + more_help(command);
}

std::string full_help(const Command& command) {
  std::string text = head(command) + commands_text(command);
  for (const OptionGroup& group : option_groups(command)) {
    text += fmt::format("\n{}:\n{}", group.heading, items(group.options));
  }
  return text + tail(command);
}

}  // namespace caos::cli
