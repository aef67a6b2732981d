#include "apps/cli/reference/command_facts.hpp"

#include <algorithm>
#include <sstream>

#include "apps/cli/help.hpp"

namespace caos::cli {
namespace {

bool is_literal(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return 'a' <= c && c <= 'z'; });
}

}  // namespace

std::vector<const Command*> with_all_below(const Command& command) {
  std::vector<const Command*> all = {&command};
  for (const Command* below : command.get_subcommands()) {
    if (!below->is_hidden()) std::ranges::copy(with_all_below(*below), std::back_inserter(all));
  }
  return all;
}

std::vector<const Command*> leaves_of(const Command& program) {
  std::vector<const Command*> all = with_all_below(program);
  std::erase_if(all, [](const Command* command) { return command->is_group(); });
  return all;
}

std::string joined_name(const Command& command, char by) {
  std::string name = command.typed_name();
  std::ranges::replace(name, ' ', by);
  return name;
}

std::vector<const Option*> shown_options(const Command& command) {
  std::vector<const Option*> options;
  for (const OptionGroup& group : option_groups(command)) {
    std::ranges::copy(group.options, std::back_inserter(options));
  }
  return options;
}

std::vector<std::string> choices_of(const Option& option) {
  if (!option.get_offers().empty()) return option.get_offers();
  std::vector<std::string> choices;
  std::istringstream words(option.get_type_name());
  for (std::string word; std::getline(words, word, '|');) {
    if (is_literal(word)) choices.push_back(word);
  }
  return choices;
}

ValueKind value_kind(const Option& option) {
  if (option.is_flag()) return ValueKind::nothing;
  if (!option.is_path()) return ValueKind::text;
  return option.get_type_name() == "DIR" ? ValueKind::folder : ValueKind::file;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace caos::cli
