#include "apps/cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

// The only file to include it: every file that does spends seconds on its templates.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "apps/cli/help.hpp"
#include "apps/cli/nearest_name.hpp"
#include "apps/cli/processes.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

// From our commands to the parser's.

std::string all_names(const Option& option) {
  std::vector<std::string> names = option.get_names();
  names.insert(names.end(), option.get_aliases().begin(), option.get_aliases().end());
  return fmt::format("{}", fmt::join(names, ","));
}

struct AddOption {
  CLI::App& app;
  const Option& option;

  /// The parser knows two kinds of help, which it reports as different errors.
  CLI::Option* operator()(Option::Help /*help*/) const {
    const std::string& name = option.get_name();
    return name == "-h" ? app.set_help_flag(name) : app.set_help_all_flag(name);
  }
  CLI::Option* operator()(const Option::Version& text) const {
    return app.set_version_flag(all_names(option), text);
  }
  CLI::Option* operator()(bool* value) const { return app.add_flag(all_names(option), *value); }
  CLI::Option* operator()(std::string* value) const {
    return app.add_option(all_names(option), *value);
  }
  CLI::Option* operator()(std::vector<std::string>* values) const {
    return app.add_option(all_names(option), *values);
  }
  CLI::Option* operator()(const Option::Read& read) const {
    return app.add_option_function<std::string>(all_names(option), read);
  }
};

using ParserOptions = std::map<Option*, CLI::Option*>;

void add_option(CLI::App& app, Option* option, ParserOptions& added) {
  CLI::Option* parsed = std::visit(AddOption{app, *option}, option->target());
  added[option] = parsed;
  if (option->is_flag()) return;
  parsed->required(option->get_required());
  if (option->get_delimiter() != '\0') parsed->delimiter(option->get_delimiter());
}

void add_relations(const ParserOptions& added) {
  for (const auto& [option, parsed] : added) {
    for (Option* other : option->get_excludes()) parsed->excludes(added.at(other));
    for (Option* other : option->get_needs()) parsed->needs(added.at(other));
  }
}

// Files that are missing are reported before anything else is asked for.

/// Options for files that are read as they are named.
constexpr std::array input_options = {
    "--labeled",         "--labels",         "--calibration",      "--test",
    "--test-labels",     "--test-groups",    "--reverse",          "--embeddings",
    "--test-embeddings", "--images",         "--landmarks",        "--candidates",
    "--split",           "--train",          "--regions",          "--vectors",
    "--vector-labels",   "--scales",         "--subjects",         "--pool",
    "--positions",       "--test-positions", "--reference-indices"};

bool is_input(const Option& option) {
  if (!option.is_path()) return false;
  if (option.is_positional()) return option.get_name() != "OUT";
  return std::ranges::find(input_options, option.get_name()) != input_options.end();
}

bool is_missing(const std::string& file) {
  std::error_code failure;
  return file != "-" && !file.empty() && !std::filesystem::exists(file, failure) && !failure;
}

/// Of several processes the first alone may have them.
void check_inputs(const ParserOptions& added) {
  if (!launch().is_first()) return;
  for (const auto& [option, parsed] : added) {
    if (!is_input(*option)) continue;
    for (const std::string& file : parsed->results()) {
      require(!is_missing(file), ErrorKind::not_found,
              [&] { return fmt::format("{}: no such file", file); });
    }
  }
}

/// The values are taken over just before the command runs.
void run(const Command& command, const ParserOptions& added) {
  check_inputs(added);
  for (const auto& [option, parsed] : added) {
    if (parsed->count() > 0) option->set_results(parsed->results());
  }
  command.get_callback()();
}

using ParserCommands = std::map<const Command*, ParserOptions>;

void describe(const Command& command, CLI::App& app, ParserCommands& commands) {
  ParserOptions& added = commands[&command];
  for (Option* option : command.get_options()) add_option(app, option, added);
  add_relations(added);
  for (const std::string& name : command.get_aliases()) app.alias(name);
  if (command.get_check()) app.parse_complete_callback(command.get_check());
  if (command.get_callback()) app.callback([&command, &added] { run(command, added); });
  for (const Command* below : command.get_subcommands()) {
    describe(*below, *app.add_subcommand(below->get_name()), commands);
    app.require_subcommand(1);
  }
}

// What the parser found.

bool is_mismatch(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
}

/// The parser begins its messages with the name of the option.
std::string option_in(std::string_view message) {
  return std::string(message.substr(0, message.find_first_of(": ")));
}

/// The command, or group of commands, that the words name so far.
const Command& named_command(const Command& command, const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return command;
  const std::vector<Command*> below = command.get_subcommands();
  const auto next = std::ranges::find(below, chosen.front()->get_name(), &Command::get_name);
  return named_command(**next, *chosen.front());
}

std::vector<std::string> commands_of(const Command& group) {
  std::vector<std::string> names;
  for (const Command* command : group.get_subcommands()) {
    if (!command->is_hidden()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> options_of(const Command& command) {
  std::vector<std::string> names;
  for (const Option* option : command.get_options()) {
    if (!option->is_hidden() && !option->is_positional()) names.push_back(option->get_name());
  }
  return names;
}

std::string unknown_option(const Command& command, const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('='));
  const std::string nearest = nearest_name(name, options_of(command));
  return fmt::format("unknown option '{}'", name) +
         (nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest));
}

std::string unknown_command(const Command& group, const std::string& typed) {
  const std::vector<std::string> names = commands_of(group);
  const std::string nearest = nearest_name(typed, names);
  return fmt::format("unknown command '{}'", typed) +
         (nearest.empty() ? fmt::format(": give one of {}", fmt::join(names, ", "))
                          : fmt::format(" (did you mean '{}'?)", nearest));
}

/// What the parser found wrong, in our words where its own would mislead.
std::string complaint(const Command& command, const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) {
    return is_mismatch(error)
               ? fmt::format("{} is given twice, or without its value", option_in(error.what()))
               : error.what();
  }
  if (unknown[0].starts_with('-')) return unknown_option(command, unknown[0]);
  return command.is_group() ? unknown_command(command, unknown[0])
                            : fmt::format("unexpected argument '{}'", unknown[0]);
}

/// The text that an option asks for, if that is why the parser stopped.
std::optional<std::string> requested_text(const Command& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return short_help(command);
  if (dynamic_cast<const CLI::CallForAllHelp*>(&error) != nullptr) return full_help(command);
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
    return std::string(error.what()) + "\n";
  }
  return std::nullopt;
}

bool lacks_option(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
}

}  // namespace

std::string run_command_line(const Command& program, int argc, char** argv) {
  CLI::App app("", program.get_name());
  ParserCommands commands;
  describe(program, app, commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const Command& command = named_command(program, app);
    const std::optional<std::string> text = requested_text(command, error);
    if (text) return *text;
    if (command.is_group() && app.remaining(true).empty())
      throw MissingCommand{short_help(command)};
    if (lacks_option(error)) check_inputs(commands[&command]);
    throw Error(
        ErrorKind::invalid_input,
        fmt::format("{}; see '{} --help'", complaint(command, app, error), command.typed_name()));
  }
  return "";
}

}  // namespace caos::cli
