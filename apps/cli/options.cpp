#include "apps/cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "caos/error.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

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

}  // namespace

Option* add_whole_number(Command& command, const std::string& names, std::size_t& value,
                         const std::string& description, std::size_t least) {
  const auto read = [&value, name = long_name(names), least](const std::string& text) {
    value = parse_whole_number(name, text, least);
  };
  return command.add_option(names, read, description)
      ->type_name("N")
      ->default_str(fmt::format("{}", value));
}

Option* add_number(Command& command, const std::string& name, std::optional<double>& value,
                   const std::string& description, double least, double most) {
  const auto read = [&value, name, least, most](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    require(whole && number >= least && number <= most, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: '{}' is not a number from {:g} to {:g}", name, text, least, most);
    });
    value = number;
  };
  return command.add_option(name, read, description)->type_name("X");
}

std::vector<std::string> listed_names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream rest(list + ",");
  for (std::string name; std::getline(rest, name, ',');) {
    const std::size_t first = name.find_first_not_of(' ');
    names.push_back(first == std::string::npos
                        ? ""
                        : name.substr(first, name.find_last_not_of(' ') - first + 1));
  }
  return names;
}

Option* add_path(Command& command, const std::string& names, std::string& value,
                 const std::string& description) {
  const auto read = [&value, name = long_name(names)](const std::string& text) {
    require(!text.empty(), ErrorKind::invalid_input,
            [&] { return fmt::format("{}: the name of the file is empty", name); });
    value = text;
  };
  return command.add_option(names, read, description)->type_name("FILE")->path();
}

Option* add_output(Command& command, std::string& value, const std::string& description) {
  return add_path(command, "-o,--output", value, description)->alias("--out");
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method method : all_methods()) names.emplace_back(method_name(method));
  return names;
}

void add_common_options(Command& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  command.add_flag("-q,--quiet", options.quiet,
                   "Print no warnings, notes or progress, and no summary of what --output holds");
}

void add_result_options(Command& command, CommonOptions& options) {
  options.command = &command;
  add_path(command, "--manifest", options.manifest, "Write a provenance manifest to FILE");
  // The default now; accepted for one more version.
  command.add_flag("--no-manifest", options.no_manifest, "No effect")->hidden();
  add_common_options(command, options);
}

Option* add_threads(Command& command, std::size_t& threads) {
  return add_whole_number(command, "-j,--threads", threads,
                          "Number of threads, 0 for one per core; results do not depend on it", 0);
}

Option* add_alphas(Command& command, std::vector<std::string>& alphas) {
  return command.add_option("--alpha", alphas, "Accepted miscoverage, one or more decimals")
      ->delimiter(',')
      ->type_name("A,...")
      ->default_str(default_alpha);
}

Option* add_alpha(Command& command, std::string& alpha) {
  return command.add_option("--alpha", alpha, "Accepted miscoverage, a decimal")
      ->capture_default_str()
      ->type_name("A");
}

Option* add_k(Command& command, std::size_t& k) {
  return add_whole_number(command, "--k", k, "Number of smallest scores to sum")->type_name("K");
}

Option* add_clip_rank(Command& command, bool& clip_rank) {
  return command.add_flag(
      "--clip-rank", clip_rank,
      "If alpha is too small for n, use the largest score, as in the paper's tables; this voids the "
      "guarantee");
}

Option* add_confidence(Command& command, std::string& confidence) {
  return command
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
