#include "apps/cli/reference/reference_json.hpp"

#include <algorithm>
#include <span>

#include "apps/cli/help.hpp"
#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/reference_facts.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

const char* kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::nothing:
      return "nothing";
    case ValueKind::file:
      return "file";
    case ValueKind::folder:
      return "folder";
    case ValueKind::text:
      break;
  }
  return "text";
}

std::vector<std::string> excluded_by(const Option& option) {
  std::vector<std::string> names;
  for (const Option* other : option.get_excludes()) names.push_back(other->get_name());
  std::ranges::sort(names);
  return names;
}

Json option_json(const Option& option, const std::string& heading) {
  return {{"names", option.get_names()},
          {"value", option.get_type_name()},
          {"default", option.get_default_str()},
          {"description", option.get_description()},
          {"group", heading},
          {"takes", kind_name(value_kind(option))},
          {"required", option.get_required()},
          {"positional", option.is_positional()},
          {"list", option.get_delimiter() == ','},
          {"offers", option.get_offers()},
          {"excludes", excluded_by(option)}};
}

/// A command, or the program itself, with the commands below it.
Json command_json(const Command& command) {
  Json options = Json::array();
  for (const OptionGroup& group : option_groups(command)) {
    for (const Option* option : group.options) {
      options.push_back(option_json(*option, group.heading));
    }
  }
  Json commands = Json::array();
  for (const Command* below : command.get_subcommands()) {
    if (!below->is_hidden()) commands.push_back(command_json(*below));
  }
  return {{"name", command.get_name()},
          {"description", command.get_description()},
          {"footer", command.get_footer()},
          {"options", options},
          {"commands", commands}};
}

Json facts_json(std::span<const Fact> facts) {
  Json json = Json::object();
  for (const Fact& fact : facts) json[fact.name] = fact.meaning;
  return json;
}

}  // namespace

Json reference_json(const Command& program) {
  return {{"version", version()},
          {"program", command_json(program)},
          {"exit_codes", facts_json(exit_codes)},
          {"environment", facts_json(environment_variables)},
          {"files", facts_json(kept_files)}};
}

}  // namespace caos::cli
