#include "apps/cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

// The only file to include it: every file that does spends seconds on its templates.
#include <CLI/CLI.hpp>
#include <map>
#include <sstream>
#include <string_view>

#include "caos/error.hpp"

namespace caos::cli {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t option_width = 34;

/// The text in lines of at most `width` characters.
std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::size_t used = 0;
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= width;
    if (used > 0) result += fits ? ' ' : '\n';
    used = used > 0 && fits ? used + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

/// Help in columns that fit a page, without the machinery of the parser.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(option_width);
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::stringstream out;
    CLI::detail::format_help(
        out, make_option_name(option, is_positional) + make_option_opts(option),
        wrapped(make_option_desc(option), page_width - option_width), option_width);
    return out.str();
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (!option->get_type_name().empty()) text += " " + option->get_type_name();
    if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
    if (option->get_required() && !option->get_positional()) text += " (required)";
    return text;
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const bool hidden = option->get_group().empty();
    return hidden ? "" : CLI::Formatter::make_option_usage(option);
  }
};

// From our commands to the parser's.

struct AddOption {
  CLI::App& app;
  const Option& option;

  CLI::Option* operator()(Option::Help /*help*/) const { return app.get_help_ptr(); }
  CLI::Option* operator()(const Option::Version& text) const {
    return app.set_version_flag(option.get_name(), text, option.get_description());
  }
  CLI::Option* operator()(bool* value) const {
    return app.add_flag(option.get_name(), *value, option.get_description());
  }
  CLI::Option* operator()(std::string* value) const {
    return app.add_option(option.get_name(), *value, option.get_description());
  }
  CLI::Option* operator()(std::vector<std::string>* values) const {
    return app.add_option(option.get_name(), *values, option.get_description());
  }
  CLI::Option* operator()(const Option::Read& read) const {
    return app.add_option_function<std::string>(option.get_name(), read, option.get_description());
  }
};

using ParserOptions = std::map<Option*, CLI::Option*>;

void add_option(CLI::App& app, Option* option, ParserOptions& added) {
  CLI::Option* parsed = std::visit(AddOption{app, *option}, option->target());
  added[option] = parsed;
  if (!option->get_group().empty()) parsed->group(option->get_group());
  if (option->is_hidden()) parsed->group("");
  if (option->is_flag()) return;
  parsed->type_name(option->get_type_name())
      ->default_str(option->get_default_str())
      ->required(option->get_required());
  if (option->get_delimiter() != '\0') parsed->delimiter(option->get_delimiter());
}

void add_relations(const ParserOptions& added) {
  for (const auto& [option, parsed] : added) {
    for (Option* other : option->get_excludes()) parsed->excludes(added.at(other));
    for (Option* other : option->get_needs()) parsed->needs(added.at(other));
  }
}

/// The values are taken over just before the command runs.
void run(const Command& command, const ParserOptions& added) {
  for (const auto& [option, parsed] : added) {
    if (parsed->count() > 0) option->set_results(parsed->results());
  }
  command.get_callback()();
}

void describe(const Command& command, CLI::App& app) {
  ParserOptions added;
  for (Option* option : command.get_options()) add_option(app, option, added);
  add_relations(added);
  app.footer(command.get_footer());
  if (command.get_check()) app.parse_complete_callback(command.get_check());
  if (command.get_callback()) app.callback([&command, added] { run(command, added); });
  for (const Command* below : command.get_subcommands()) {
    CLI::App* parsed = app.add_subcommand(below->get_name(), below->get_description());
    parsed->group("Commands");
    describe(*below, *parsed);
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
const CLI::App& named_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : named_command(*chosen.front());
}

/// Whether the words so far name no command yet: none at all, or a group of commands alone.
bool lacks_command(const CLI::App& app) { return !named_command(app).get_subcommands({}).empty(); }

/// `caos landmarks predict`
std::string typed_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : typed_name(*parent) + " " + command.get_name();
}

std::string commands_of(const CLI::App& group) {
  std::vector<std::string> names;
  for (const CLI::App* command : group.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What the parser found wrong, in our words where its own would mislead.
std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) {
    if (lacks_command(app)) {
      return fmt::format("missing command: give one of {}", commands_of(named_command(app)));
    }
    return is_mismatch(error)
               ? fmt::format("{} is given twice, or without its value", option_in(error.what()))
               : error.what();
  }
  if (unknown[0].starts_with('-')) return fmt::format("unknown option '{}'", unknown[0]);
  return lacks_command(app) ? fmt::format("unknown command '{}': give one of {}", unknown[0],
                                          commands_of(named_command(app)))
                            : fmt::format("unexpected argument '{}'", unknown[0]);
}

}  // namespace

std::string run_command_line(const Command& program, int argc, char** argv) {
  CLI::App app(program.get_description(), program.get_name());
  app.formatter(std::make_shared<HelpFormatter>());
  describe(program, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    require(asked_for_text, ErrorKind::invalid_input, [&] {
      return fmt::format("{}; see '{} --help'", complaint(app, error),
                         typed_name(named_command(app)));
    });
    std::ostringstream text;
    app.exit(error, text, text);
    return text.str();
  }
  return "";
}

}  // namespace caos::cli
