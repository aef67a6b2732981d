#include "apps/cli/reference/option_table.hpp"

#include <algorithm>
#include <sstream>

#include "apps/cli/options.hpp"

namespace caos::cli {
namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

ValueKind kind_of(CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return ValueKind::none;
  if (!is_path(option)) return ValueKind::text;
  return option.get_type_name() == "DIR" ? ValueKind::folder : ValueKind::file;
}

/// Of a value name such as `labels|FILE` the words in small letters are meant as they stand.
std::vector<std::string> words_in(const std::string& value_name) {
  std::vector<std::string> words;
  std::istringstream parts(value_name);
  for (std::string part; std::getline(parts, part, '|');) {
    const bool word = std::ranges::all_of(part, [](char c) { return c >= 'a' && c <= 'z'; });
    if (word && !part.empty()) words.push_back(part);
  }
  return words;
}

std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> choices = offered_words(option);
  return choices.empty() ? words_in(option.get_type_name()) : choices;
}

std::vector<std::string> excluded_by(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const CLI::Option* other : option.get_excludes()) names.push_back(names_of(*other).back());
  std::ranges::sort(names);
  return names;
}

OptionEntry entry_of(CLI::Option& option) {
  return {.names = names_of(option),
          .value_name = option.get_type_name(),
          .default_value = option.get_default_str(),
          .description = option.get_description(),
          .group = option.get_group() == "Options" ? "" : option.get_group(),
          .kind = kind_of(option),
          .required = option.get_required(),
          .positional = option.get_positional(),
          .list = option.get_delimiter() == ',',
          .choices = choices_of(option),
          .excludes = excluded_by(option)};
}

/// The lines without the two blanks that --help sets before commands.
std::string without_indent(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    result += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
  }
  if (!result.empty()) result.pop_back();
  return result;
}

void set_footer(VerbEntry& verb, const std::string& footer) {
  const std::size_t start = footer.starts_with("Example") ? 0 : footer.find("\nExample");
  if (start == std::string::npos) {
    verb.notes = footer;
    return;
  }
  const std::size_t head = footer.find("Example", start);
  const std::size_t end = std::min(footer.find('\n', head), footer.size());
  verb.notes = footer.substr(0, start);
  while (verb.notes.ends_with('\n')) verb.notes.pop_back();
  verb.example_head = footer.substr(head, end - head);
  verb.example = without_indent(footer.substr(std::min(end + 1, footer.size())));
}

bool is_shown(const CLI::App& verb) {
  return !verb.get_name().empty() && !verb.get_group().empty();
}

VerbEntry verb_of(CLI::App& app, const std::string& parents) {
  VerbEntry verb;
  verb.name = parents + app.get_name();
  verb.description = app.get_description();
  set_footer(verb, app.get_footer());
  for (CLI::Option* option : app.get_options({})) {
    if (!option->get_group().empty()) verb.options.push_back(entry_of(*option));
  }
  // As in --help, where options of a group of their own come last.
  std::ranges::stable_partition(verb.options, &std::string::empty, &OptionEntry::group);
  for (CLI::App* below : app.get_subcommands({})) {
    if (is_shown(*below)) verb.verbs.push_back(verb_of(*below, verb.name + " "));
  }
  return verb;
}

void collect(const VerbEntry& verb, std::vector<const VerbEntry*>& verbs) {
  verbs.push_back(&verb);
  for (const VerbEntry& below : verb.verbs) collect(below, verbs);
}

}  // namespace

VerbEntry read_option_table(CLI::App& app) { return verb_of(app, ""); }

std::vector<const VerbEntry*> all_verbs(const VerbEntry& program) {
  std::vector<const VerbEntry*> verbs;
  collect(program, verbs);
  return verbs;
}

std::vector<const VerbEntry*> leaf_verbs(const VerbEntry& program) {
  std::vector<const VerbEntry*> verbs = all_verbs(program);
  std::erase_if(verbs, [](const VerbEntry* verb) { return !verb->verbs.empty(); });
  return verbs;
}

std::string usage_of(const OptionEntry& option) {
  std::string text = option.name();
  if (!option.positional && !option.value_name.empty()) text += " " + option.value_name;
  return option.required ? text : "[" + text + "]";
}

const std::vector<Fact>& exit_codes() {
  static const std::vector<Fact> facts = {
      {"0", "Done. A warning on standard error does not change this."},
      {"1",
       "Failed: a file is missing, damaged or cannot be written, a model runtime failed, verify found "
       "a contradiction, or inspect an output that is not what was written. Nothing half-written is "
       "left."},
      {"2", "Misused: an option or a value that cannot be right. Nothing was written."}};
  return facts;
}

const std::vector<Fact>& environment_variables() {
  static const std::vector<Fact> facts = {
      {"CAOS_KERNELS",
       "The instruction set to compute with, such as SCALAR; by default the best that the processor "
       "has. Results are the same bytes with each; caos --version says which one is used."},
      {"XDG_CACHE_HOME",
       "The folder in which a folder caos keeps embeddings that were computed before; by default "
       ".cache in the home folder."},
      {"HOME", "The home folder, where XDG_CACHE_HOME is not set."}};
  return facts;
}

const std::vector<Fact>& user_files() {
  static const std::vector<Fact> facts = {
      {"~/.cache/caos",
       "Embeddings of images, so that a second run is fast. May be deleted at any time; --no-cache "
       "keeps none, and --cache DIR keeps them elsewhere."}};
  return facts;
}

}  // namespace caos::cli
