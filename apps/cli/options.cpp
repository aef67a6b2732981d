#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "caos/core/error.hpp"

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
  return verb
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            require(!text.empty(), ErrorKind::invalid_input,
                    [&] { return fmt::format("{}: the name of the file is empty", name); });
            value = text;
          },
          description)
      ->type_name("FILE");
}

CLI::Option* add_threads(CLI::App& verb, std::size_t& threads) {
  return add_whole_number(verb, "--threads", threads,
                          "0: one per core; results do not depend on it", 0);
}

CLI::Option* add_k(CLI::App& verb, std::size_t& k) {
  return add_whole_number(verb, "--k", k, "How many of the smallest scores are added")
      ->type_name("K");
}

void check_standard_input(std::initializer_list<std::string_view> inputs) {
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

}  // namespace caos::cli
