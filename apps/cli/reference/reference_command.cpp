#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "caos/error.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

/// What a shell may complete the value to.
const char* value_kind(const Option& option) {
  if (option.is_flag()) return "nothing";
  if (!option.is_path()) return "text";
  return option.get_type_name() == "DIR" ? "folder" : "file";
}

std::vector<std::string> excluded_by(const Option& option) {
  std::vector<std::string> names;
  for (const Option* other : option.get_excludes()) names.push_back(other->get_name());
  std::ranges::sort(names);
  return names;
}

Json to_json(const Option& option) {
  return {{"names", option.get_names()},           {"value", option.get_type_name()},
          {"default", option.get_default_str()},   {"description", option.get_description()},
          {"group", option.get_group()},           {"takes", value_kind(option)},
          {"required", option.get_required()},     {"positional", option.is_positional()},
          {"list", option.get_delimiter() == ','}, {"offers", option.get_offers()},
          {"excludes", excluded_by(option)}};
}

/// A command, or the program itself, with the commands below it.
Json to_json(const Command& command) {
  Json options = Json::array();
  for (const Option* option : command.get_options()) {
    if (!option->is_hidden()) options.push_back(to_json(*option));
  }
  Json commands = Json::array();
  for (const Command* below : command.get_subcommands()) commands.push_back(to_json(*below));
  return {{"name", command.get_name()},
          {"description", command.get_description()},
          {"footer", command.get_footer()},
          {"options", options},
          {"commands", commands}};
}

struct ReferenceCommandOptions {
  CommonOptions common;
  std::string kind;  ///< of former versions
  std::string out;
};

void run(const ReferenceCommandOptions& options, const Command& program) {
  require(options.kind.empty() && options.out.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "reference: prints the options as JSON only; 'tools/reference.py {}' in the source tree "
        "makes pages and completions from it",
        options.kind.empty() ? "man" : options.kind);
  });
  print(json_text({{"version", version()}, {"program", to_json(program)}}, 2) + "\n");
}

}  // namespace

void add_reference(Command& app) {
  Command& command =
      app.add_subcommand("reference", "Print all commands and options as one JSON object");
  const auto options = std::make_shared<ReferenceCommandOptions>();
  command.add_option("kind", options->kind, "No longer supported")->hidden();
  command.add_option("--out", options->out, "No longer supported")->hidden();
  add_common_options(command, options->common);
  command.footer(
      "In the source tree, tools/reference.py turns it into manual pages, reference pages, and\n"
      "completions for bash, zsh and fish.\n\n"
      "Example:\n  caos reference > options.json");
  command.callback([options, &app] { run(*options, app); });
}

}  // namespace caos::cli
