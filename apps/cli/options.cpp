#include "apps/cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/io/write_whole.hpp"

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

std::size_t parse_whole_number(const std::string& name, const std::string& text,
                               std::size_t least) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  require(whole && value >= least, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: '{}' is not a whole number of at least {}", name, text, least);
  });
  return value;
}

/// The file that a name means, whether it exists or not.
std::filesystem::path target_of(const std::string& name) {
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(name, failure);
  if (failure) return name;  // the folder we are in is gone
  const std::filesystem::path target = std::filesystem::weakly_canonical(whole, failure);
  return failure ? std::filesystem::path(name) : target;
}

/// Whether two names mean one file; devices such as /dev/null may serve twice.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  const std::filesystem::path target = target_of(a);
  const bool device = std::filesystem::exists(target, ignored) &&
                      !std::filesystem::is_regular_file(target, ignored);
  return !device && !b.empty() && target == target_of(b);
}

/// The parser has no place for remarks, but keeps validators by name; one that is not active
/// neither checks anything nor shows in --help.
void remark(CLI::Option* option, const std::string& name, const std::string& text) {
  option->check(CLI::Validator(text).active(false), name);
}

std::optional<std::string> remark_on(CLI::Option& option, const std::string& name) {
  try {
    return std::as_const(*option.get_validator(name)).active().get_description();
  } catch (const CLI::OptionNotFound&) {
    return std::nullopt;
  }
}

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(option_width);
  label("SUBCOMMAND", "VERB");
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::stringstream out;
  CLI::detail::format_help(out, make_option_name(option, is_positional) + make_option_opts(option),
                           wrapped(make_option_desc(option), page_width - option_width),
                           option_width);
  return out.str();
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text;
  if (!option->get_type_name().empty()) text += " " + option->get_type_name();
  if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
  if (option->get_required() && !option->get_positional()) text += " (required)";
  return text;
}

CLI::Option* add_whole_number(CLI::App& verb, const std::string& name, std::size_t& value,
                              const std::string& description, std::size_t least) {
  return verb
      .add_option_function<std::string>(
          name,
          [&value, name, least](const std::string& text) {
            value = parse_whole_number(name, text, least);
          },
          description)
      ->type_name("N")
      ->default_str(fmt::format("{}", value));
}

CLI::Option* add_path(CLI::App& verb, const std::string& name, std::string& value,
                      const std::string& description) {
  CLI::Option* option = verb.add_option_function<std::string>(
                                name,
                                [&value, name](const std::string& text) {
                                  require(!text.empty(), ErrorKind::invalid_input, [&] {
                                    return fmt::format("{}: the name of the file is empty", name);
                                  });
                                  value = text;
                                },
                                description)
                            ->type_name("FILE");
  remark(option, "path", "");
  return option;
}

bool is_path(CLI::Option& option) { return remark_on(option, "path").has_value(); }

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words) {
  remark(option, "offer", fmt::format("{}", fmt::join(words, " ")));
  return option;
}

std::vector<std::string> offered_words(CLI::Option& option) {
  std::istringstream text(remark_on(option, "offer").value_or(""));
  return {std::istream_iterator<std::string>(text), {}};
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method method : all_methods()) names.emplace_back(method_name(method));
  return names;
}

void add_common_options(CLI::App& verb, CommonOptions& options) {
  verb.add_flag("--json", options.json, "Print one JSON object instead of text for people");
  verb.add_flag("--quiet", options.quiet, "No warnings and no progress on stderr");
}

void add_result_options(CLI::App& verb, CommonOptions& options) {
  options.verb = &verb;
  CLI::Option* manifest = add_path(
      verb, "--manifest", options.manifest,
      "Write there what the result was made with and from; by default beside the files that "
      "hold it");
  verb.add_flag("--no-manifest", options.no_manifest, "Write no manifest")->excludes(manifest);
  add_common_options(verb, options);
}

CLI::Option* add_threads(CLI::App& verb, std::size_t& threads) {
  return add_whole_number(verb, "--threads", threads,
                          "0: one per core; results do not depend on it", 0);
}

CLI::Option* add_alphas(CLI::App& verb, std::vector<std::string>& alphas) {
  return verb.add_option("--alpha", alphas, "Accepted miscoverage, one or more decimals")
      ->delimiter(',')
      ->type_name("A,...")
      ->default_str("0.05,0.1,0.2");
}

CLI::Option* add_k(CLI::App& verb, std::size_t& k) {
  return add_whole_number(verb, "--k", k, "How many of the smallest scores are added")
      ->type_name("K");
}

CLI::Option* add_clip_rank(CLI::App& verb, bool& clip_rank) {
  return verb.add_flag(
      "--clip-rank", clip_rank,
      "Where alpha is too small for n, use the largest score as the paper's tables "
      "do; this loses the guarantee");
}

CLI::Option* add_confidence(CLI::App& verb, std::string& confidence) {
  return verb
      .add_option("--confidence", confidence,
                  "Probability, over the random draw, with which a statement is true, a decimal")
      ->capture_default_str()
      ->type_name("C");
}

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::vector<std::string> taken = inputs;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    const auto twice = std::ranges::find_if(
        taken, [&](const std::string& other) { return same_file(output, other); });
    require(twice == taken.end(), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: this run already reads or writes that file; give another name",
                         output);
    });
    io::check_target(output);
    taken.push_back(output);
  }
}

void check_standard_input(const std::vector<std::string>& inputs) {
  require(std::ranges::count(inputs, "-") <= 1, ErrorKind::invalid_input,
          "standard input ('-') can be read as one file only");
}

std::vector<Miscoverage> parse_alphas(const std::vector<std::string>& texts) {
  std::vector<Miscoverage> alphas;
  for (const std::string& text : texts) {
    const Miscoverage alpha = Miscoverage::parse(text);
    if (std::ranges::find(alphas, alpha) == alphas.end()) alphas.push_back(alpha);
  }
  return alphas;
}

std::vector<Method> parse_methods(const std::vector<std::string>& names) {
  std::vector<Method> methods;
  for (const std::string& name : names) {
    const Method method = parse_method(name);
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

}  // namespace caos::cli
